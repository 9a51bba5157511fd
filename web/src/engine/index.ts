/// The library in a web worker. See engine.ts for what can be asked.
import EngineWorker from './worker?worker&inline';
import { Engine, type EngineOptions } from './engine';

export const startEngine = (options?: EngineOptions): Engine => new Engine(() => new EngineWorker(), options);
export { Engine, EngineTrouble, Refused } from './engine';
export * from './answers';

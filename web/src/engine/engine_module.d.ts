/// What emscripten makes of web/engine.
declare module '*/build/wasm/engine.mjs' {
  export interface EngineModule {
    readonly HEAPF64: Float64Array;
    UTF8ToString(pointer: number): string;
    lengthBytesUTF8(text: string): number;
    stringToUTF8(text: string, pointer: number, bytes: number): void;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _collapse_gallery(): number;
    _collapse_gallery_scene(name: number, options: number): number;
    _collapse_check(scene: number, wishes: number): number;
    _collapse_motion_begin(scene: number): number;
    _collapse_motion_step(count: number): number;
    _collapse_motion_poses(): number;
    _collapse_motion_pose_count(): number;
    _collapse_motion_forces(): number;
    _collapse_motion_force_count(): number;
    _collapse_motion_end(): void;
  }
  export default function createEngine(options?: object): Promise<EngineModule>;
}

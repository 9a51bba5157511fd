/// What the page leaves for tests and for the curious at the console.
import type { App } from './app';

declare global {
  interface Window {
    collapsePlayground: App;
  }
}

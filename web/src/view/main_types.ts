/// What the page offers to those who drive it from outside.
import type { Viewer } from './viewer';

export interface CollapseView {
  frames: number;
  duration: number;
  ready: Promise<void>;
  showTime(time: number): Promise<void>;
  /// For tests.
  viewer?: Viewer;
}

declare global {
  interface Window {
    collapseView: CollapseView;
  }
}

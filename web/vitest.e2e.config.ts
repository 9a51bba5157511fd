import { defineConfig } from 'vitest/config';

/// Pages made by the tool, in a browser. COLLAPSE_TOOL names the tool, CHROMIUM the browser. One at a time: the
/// browser has the whole machine.
export default defineConfig({
  test: { include: ['tests/e2e/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false },
});

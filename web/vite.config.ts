import { defineConfig } from 'vitest/config';
import { singleFile } from './single_file';

/// Two pages, each built alone (`vite build --mode view`) so that each is one file with no shared pieces.
export default defineConfig(({ command, mode }) => {
  if (command === 'build' && mode !== 'view' && mode !== 'playground') {
    throw new Error(`no page "${mode}": build with --mode view or --mode playground`);
  }
  return {
    base: './',
    plugins: [singleFile()],
    build: {
      outDir: '../build/web',
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      assetsInlineLimit: 100_000_000,
      chunkSizeWarningLimit: 5000,
      cssCodeSplit: false,
      reportCompressedSize: false,
      rollupOptions: { input: `${mode}.html`, output: { inlineDynamicImports: true } },
    },
    test: { include: ['tests/unit/**/*.test.ts'] },
  };
});

/// A Vite plugin: the built page holds its script and its style, so that it is one file that opens from
/// disk. Where the page's Content-Security-Policy says 'SCRIPT' and 'STYLE' it gets their hashes: nothing
/// else may run. The development server, which adds scripts of its own, gets no policy; its page of the player
/// shows what ./dev demo wrote last.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

/// What would end a script element, written so that it means the same in strings and regular expressions.
const asScript = (code: string): string => code.replace(/<(\/script|!--)/gi, (_, rest: string) => `\\x3c${rest}`);

const kDemo = '../build/demo/diamond.html';
const kData = /<script type="application\/octet-stream" id="data">[^<]*<\/script>/;

function forDevelopment(html: string): string {
  const data = existsSync(kDemo) ? kData.exec(readFileSync(kDemo, 'utf8'))?.[0] : undefined;
  return html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '').replace(kData, (empty) => data ?? empty);
}

export function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (html, context) => (context.server ? forDevelopment(html) : html),
    },
    generateBundle(_, bundle) {
      const pages = Object.values(bundle).filter((file) => file.fileName.endsWith('.html'));
      for (const page of pages) {
        if (page.type !== 'asset') continue;
        let html = String(page.source);
        let script = '';
        let style = '';
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') script += asScript(file.code);
          if (file.type === 'asset' && file.fileName.endsWith('.css')) style += String(file.source);
          if (file !== page) delete bundle[file.fileName];
        }
        html = html
          .replace(/\s*<script type="module"[^>]*src="[^"]*"[^>]*><\/script>/g, '')
          .replace(/\s*<link rel="(stylesheet|modulepreload)"[^>]*>/g, '')
          .replace("'SCRIPT'", () => hash(script))
          .replace("'STYLE'", () => (style ? hash(style) : "'none'"))
          .replace('</head>', () => (style ? `<style>${style}</style>\n</head>` : '</head>'))
          .replace('</body>', () => `<script type="module">${script}</script>\n</body>`);
        page.source = html;
      }
    },
  };
}

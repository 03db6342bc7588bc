/**
 * `/_sandbox/docs`: both documents, to read and to try out, and the pages of `docs/`, all from the package. Swagger UI
 * is part of the build; nothing is loaded from elsewhere, and the content security policy forbids it.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import compression from 'compression';
import { Router, type RequestHandler } from 'express';
import { ServiceError } from '../../domain/errors.js';
import { fileAbove } from '../../package-files.js';
import { requirePageToken } from '../guard.js';
import { docsPath, sendFile } from './files.js';

/** The files of the page, and their places in the sources; the build copies all of them into `api-docs`. */
export const docsFiles = {
  'index.html': 'ui/api-docs/index.html',
  'init.js': 'ui/api-docs/init.js',
  'guide.css': 'ui/api-docs/guide.css',
  'swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
} as const;

// Swagger UI sets styles on its elements; scripts and connections are limited to this sandbox.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** @param token the page itself requires it; its scripts and styles, and the pages of `docs/`, contain no secret */
export function docsPage(token: string | null): Router {
  const router = Router();
  router.use(compression());
  router.get('/', (request, _response, next) => {
    requirePageToken(request, token, docsPath);
    next();
  });
  router.get('/', docsFile('index.html'));
  for (const name of Object.keys(docsFiles)) router.get(`/${name}`, docsFile(name as keyof typeof docsFiles));
  // A name of any other form never becomes part of a path.
  router.get(/^\/(?:[\w-]+\.md|images\/[\w-]+\.png)$/, guide);
  return router;
}

function docsFile(name: keyof typeof docsFiles): RequestHandler {
  return (_request, response, next) => {
    const path = fileAbove(`api-docs/${name}`) ?? fileAbove(docsFiles[name]);
    if (path === null) throw new ServiceError('not_found', `${name} is missing from this installation.`);
    sendFile(response.set('Content-Security-Policy', policy), path, next);
  };
}

// Allows only the sandbox's own style and pictures, whatever a page contains.
const guidePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'";

const guide: RequestHandler = async ({ path }, response, next) => {
  // A file that another folder named docs is unlikely to have: the search goes up to the root.
  const known = fileAbove('docs/assumptions.md');
  const file = known === null ? null : fileAbove(join('docs', path));
  if (known === null || file?.startsWith(dirname(known)) !== true) {
    const more = 'The list of pages is at /_sandbox/docs/README.md.';
    throw new ServiceError('not_found', `This installation has no documentation page ${path.slice(1)}. ${more}`);
  }
  response.set('Content-Security-Policy', guidePolicy);
  if (path.endsWith('.png')) sendFile(response, file, next);
  else
    response
      .set('X-Content-Type-Options', 'nosniff')
      .type('html')
      .send(await pageOf(readFileSync(file, 'utf8')));
};

/**
 * Returns the page as HTML. Markup in the text, and links to anything but pages, headings and web addresses, stay text.
 */
export async function pageOf(markdown: string): Promise<string> {
  // Loaded with the first page, so that the start does not wait for it.
  const { Marked } = await import('marked');
  const anchors = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escaped(text),
      heading({ tokens, depth, text }) {
        const words = text.toLowerCase().replaceAll(/[^\w\s-]/g, '');
        const anchor = words.replaceAll(' ', '-');
        const before = anchors.get(anchor) ?? 0;
        anchors.set(anchor, before + 1);
        const id = before === 0 ? anchor : `${anchor}-${before}`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // It may be wider than the page, and can also be scrolled with the keyboard.
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        if (/^https?:\/\//.test(href)) return `<a href="${escaped(href)}" rel="noreferrer">${words}</a>`;
        // Other files of the package are named, but not linked.
        return /^(?:[\w-]+\.md)?(?:#[\w-]+)?$/.test(href) ? `<a href="${href}">${words}</a>` : words;
      },
      image: ({ href, text }) =>
        /^images\/[\w-]+\.png$/.test(href) ? `<img src="${href}" alt="${escaped(text)}">` : escaped(text),
    },
  });
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Documentation';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · messaging-sandbox</title>
<link rel="stylesheet" href="/_sandbox/docs/guide.css">
<link rel="icon" href="data:,">
</head>
<body>
<nav aria-label="Documentation"><a href="/_sandbox/docs/README.md">All pages</a>
<a href="/_sandbox/docs">API reference</a> <a href="/_sandbox/ui">Web UI</a></nav>
<main>
${await marked.parse(markdown)}</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (letter) => entities[letter] ?? letter);
}

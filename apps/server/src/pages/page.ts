import type { Context } from 'hono';
import { html } from 'hono/html';

type Html = ReturnType<typeof html>;

export interface Page {
  readonly title: string;
  readonly content: Html;
  /** From this page to the top of the service, as a browser sees it: `.` or `..`. Proxies may serve it below a path. */
  readonly root: '.' | '..';
}

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
};

/** Answers with a page that loads nothing but its stylesheet, is kept nowhere and tells nobody its address. */
export function answerPage(
  context: Context,
  status: 200 | 404 | 410 | 429 | 503,
  page: Page,
  headers: Readonly<Record<string, string>> = {},
): Response | Promise<Response> {
  return context.html(documentOf(page), status, { ...HEADERS, ...headers });
}

function documentOf({ title, content, root }: Page): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title} · Countersign</title>
<link rel="stylesheet" href="${root}/assets/page.css">
</head>
<body>
<main>
<p class="brand">Countersign</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type Context, Hono } from 'hono';

/** The files that pages load: scripts, stylesheets, pictures. */
export interface Assets {
  /** The path of a file, with the hash of all contents in it. Files may name one another relatively. @throws where there is no such file */
  pathOf(name: string): string;
  /** Serves them; to be mounted at `/assets`. */
  readonly routes: Hono;
}

interface Asset {
  readonly content: Uint8Array<ArrayBuffer>;
  /** Brotli, made when it is first asked for; null for what does not get smaller. */
  readonly compressed: () => Uint8Array<ArrayBuffer> | null;
  readonly contentType: string;
  readonly etag: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const TEXT = /^text\/|\+xml$/;

const HASH_LENGTH = 16;
const FOR_EVER = 'public, max-age=31536000, immutable';
/** An address from before an update, or made up: what is there now, and not to be kept. */
const ASK_EACH_TIME = 'no-cache';

/** Reads them all, once. They are small, and are read at the start so that nothing is missing later. */
export function loadAssets(): Assets {
  const files = new Map(assetFiles().map(({ name, path }) => [name, assetOf(name, readFileSync(path))]));
  const all = createHash('sha256');
  for (const [name, { etag }] of [...files].sort()) all.update(`${name}\n${etag}\n`);
  const version = all.digest('hex').slice(0, HASH_LENGTH);

  const routes = new Hono().get('/:version/:name', (context) => {
    const asset = files.get(context.req.param('name'));
    if (asset === undefined) return context.text('Not found', 404, { 'X-Content-Type-Options': 'nosniff' });
    return answer(context, asset, context.req.param('version') === version ? FOR_EVER : ASK_EACH_TIME);
  });

  return {
    routes,
    pathOf(name) {
      if (!files.has(name)) throw new Error(`There is no asset ${name}`);
      return `/assets/${version}/${name}`;
    },
  };
}

function answer({ req, body }: Context, asset: Asset, cacheControl: string): Response {
  const headers = {
    'Content-Type': asset.contentType,
    'Cache-Control': cacheControl,
    ETag: asset.etag,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  if (req.header('If-None-Match') === asset.etag) return body(null, 304, headers);
  const takesBrotli = /\bbr\b/.test(req.header('Accept-Encoding') ?? '');
  const compressed = takesBrotli ? asset.compressed() : null;
  if (compressed === null) return body(asset.content, 200, headers);
  return body(compressed, 200, { ...headers, 'Content-Encoding': 'br' });
}

function assetOf(name: string, bytes: Buffer): Asset {
  const contentType = CONTENT_TYPES[extname(name)];
  if (contentType === undefined) throw new Error(`No content type is known for the asset ${name}`);
  const content = Uint8Array.from(bytes);
  return {
    content,
    compressed: TEXT.test(contentType) ? once(() => brotli(bytes)) : () => null,
    contentType,
    // Weak, because it stands for both encodings.
    etag: `W/"${createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH)}"`,
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Of eleven qualities the sixth: 1 % larger than the best, and it does not hold up the start. */
const QUALITY = 6;

function brotli(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return Uint8Array.from(brotliCompressSync(bytes, { params }));
}

/** This package's own files and those of the libraries that pages load. */
function assetFiles(): { name: string; path: string }[] {
  const require = createRequire(import.meta.url);
  const own = join(dirname(require.resolve('@countersign/web/package.json')), 'assets');
  return [
    ...readdirSync(own).map((name) => ({ name, path: join(own, name) })),
    {
      name: 'pico.css',
      path: join(dirname(require.resolve('@picocss/pico/package.json')), 'css', 'pico.min.css'),
    },
    { name: 'htmx.js', path: join(dirname(require.resolve('htmx.org/package.json')), 'dist', 'htmx.min.js') },
  ];
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Context, Hono } from 'hono';
import { parseAccept } from 'hono/utils/accept';

/** The files that pages load: scripts, stylesheets, images. */
export interface Assets {
  /** Returns the path of a file. It has a hash of all files, so files may import each other relatively. @throws Error if the file does not exist */
  pathOf(name: string): string;
  /** Returns the content of a text file. @throws Error if the file does not exist */
  textOf(name: string): string;
  /** Serves the files. Mount it at `/assets`. */
  readonly routes: Hono;
}

/** In the order of preference. Browsers ask for Brotli by https only. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

interface Asset {
  readonly content: Uint8Array<ArrayBuffer>;
  /** Returns the content in an encoding, compressed at the first call; null for images. */
  readonly compressed: Readonly<Record<Encoding, () => Uint8Array<ArrayBuffer>>> | null;
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
/** For an address with another hash, as before an update: answers the current file, without caching. */
const ASK_EACH_TIME = 'no-cache';

/** Reads all files once in a process, at the start, so that a missing one is found then. */
export const loadAssets: () => Assets = once(readAssets);

function readAssets(): Assets {
  const files = new Map(
    assetFiles().map(({ name, path }) => [name, assetOf(name, sent(name, readFileSync(path)))]),
  );
  const all = createHash('sha256');
  for (const [name, { etag }] of [...files].sort()) all.update(`${name}\n${etag}\n`);
  const version = all.digest('hex').slice(0, HASH_LENGTH);

  const routes = new Hono().get('/:version/:name', (context) => {
    const asset = files.get(context.req.param('name'));
    if (asset === undefined) return context.text('Not found', 404, { 'X-Content-Type-Options': 'nosniff' });
    return answer(context, asset, context.req.param('version') === version ? FOR_EVER : ASK_EACH_TIME);
  });

  const fileOf = (name: string): Asset => {
    const asset = files.get(name);
    if (asset === undefined) throw new Error(`Asset ${name} does not exist`);
    return asset;
  };

  return {
    routes,
    pathOf(name) {
      fileOf(name);
      return `/assets/${version}/${name}`;
    },
    textOf: (name) => new TextDecoder().decode(fileOf(name).content),
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
  const encoding = encodingFor(req.header('Accept-Encoding'));
  if (asset.compressed === null || encoding === undefined) return body(asset.content, 200, headers);
  return body(asset.compressed[encoding](), 200, { ...headers, 'Content-Encoding': encoding });
}

function encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
  const accepted = parseAccept(acceptEncoding ?? '').filter(({ q }) => q > 0);
  return ENCODINGS.find((encoding) => accepted.some(({ type }) => type.toLowerCase() === encoding));
}

/** Returns what browsers receive of a file: a stylesheet without its comments, a sixth of what is sent. */
function sent(name: string, bytes: Buffer): Buffer {
  if (extname(name) !== '.css') return bytes;
  return Buffer.from(bytes.toString().replaceAll(/\/\*.*?\*\/\n*/gs, ''));
}

function assetOf(name: string, bytes: Buffer): Asset {
  const contentType = CONTENT_TYPES[extname(name)];
  if (contentType === undefined)
    throw new Error(`Asset ${name} has an unknown content type. Add it to CONTENT_TYPES.`);
  const content = Uint8Array.from(bytes);
  return {
    content,
    compressed: TEXT.test(contentType)
      ? { br: once(() => brotli(bytes)), gzip: once(() => Uint8Array.from(gzipSync(bytes))) }
      : null,
    contentType,
    // Weak, because all encodings share it.
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

/** Of 11 levels. The result is 1 % larger than the best, and fast enough for a first request. */
const QUALITY = 6;

function brotli(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  return Uint8Array.from(brotliCompressSync(bytes, { params }));
}

/** Lists the files of this package and of the libraries that pages load. */
function assetFiles(): { name: string; path: string }[] {
  const require = createRequire(import.meta.url);
  // `assets` lies beside both `src` and `dist`.
  const own = fileURLToPath(new URL('../../assets', import.meta.url));
  return [
    ...readdirSync(own).map((name) => ({ name, path: join(own, name) })),
    { name: 'finder.js', path: require.resolve('@countersign/reading/finder.js') },
    { name: 'htmx.js', path: require.resolve('htmx.org/dist/htmx.min.js') },
  ];
}

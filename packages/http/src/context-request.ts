import type { Context } from 'hono';
import { BODY_MAX_BYTES, brokenOff, tooLarge } from './body-limit.ts';
import { mountPath } from './mount.ts';
import type { ApiRequest } from './request-context.ts';

/** A request that came through Hono. */
export function requestOfContext(context: Context, clientAddress: (context: Context) => string): ApiRequest {
  const { req } = context;
  const mount = mountPath(context);
  return {
    method: req.method,
    url: req.url,
    mount,
    path: req.path.slice(mount.length),
    clientAddress: () => clientAddress(context),
    header: (name) => req.header(name),
    body: () => readBody(req),
  };
}

async function readBody(req: Context['req']): Promise<Uint8Array> {
  if (req.header('content-length') === undefined) return await readChunks(req.raw.body);
  // With a length declared, the server reads no further: this is the Node adapter's short way, without a web stream.
  const bytes = new Uint8Array(await req.arrayBuffer().catch(unreadable));
  if (bytes.byteLength > BODY_MAX_BYTES) throw tooLarge();
  return bytes;
}

/** Counts while it reads: a body without a length may have no end. */
async function readChunks(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read().catch(unreadable);
    if (done) break;
    size += value.byteLength;
    if (size > BODY_MAX_BYTES) throw tooLarge();
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

function unreadable(): never {
  throw brokenOff();
}

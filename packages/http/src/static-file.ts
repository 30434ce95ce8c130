import { createHash } from 'node:crypto';
import { compressOnce } from './compress-once.ts';

/** A file whose content does not change while the program runs. */
export interface StaticFile {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** The headers of a request that decide about the form of the response; each null if absent. */
export interface StaticRequest {
  readonly acceptEncoding: string | null;
  readonly ifNoneMatch: string | null;
}

/** Answers a request for one file, with further headers. */
export type AnswerFile = (request: StaticRequest, headers: Readonly<Record<string, string>>) => Promise<Response>;

/**
 * Makes the answers to requests for a file: 304 to a browser that has it, otherwise in Brotli, gzip or plain as the
 * browser accepts.
 */
export function serveFile({ contentType, cacheControl, content }: StaticFile): AnswerFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const compress = contentType.startsWith('text/') ? compressOnce(bytes) : undefined;
  // Weak, because all encodings share it.
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

  return async ({ acceptEncoding, ifNoneMatch }, further) => {
    const headers = { 'Content-Type': contentType, 'Cache-Control': cacheControl, ETag: etag, ...further };
    const vary = compress === undefined ? headers : { ...headers, Vary: 'Accept-Encoding' };
    if (ifNoneMatch === etag) return new Response(null, { status: 304, headers: vary });
    const compressed = await compress?.(acceptEncoding ?? undefined);
    if (!compressed) return new Response(bytes, { headers: vary });
    return new Response(compressed.bytes, { headers: { ...vary, 'Content-Encoding': compressed.encoding } });
  };
}

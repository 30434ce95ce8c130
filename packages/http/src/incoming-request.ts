import type { IncomingMessage } from 'node:http';
import type { ApiListenerOptions } from './api-options.ts';
import { BODY_MAX_BYTES, brokenOff, tooLarge } from './body-limit.ts';
import type { ApiRequest } from './request-context.ts';
import { pathOfTarget } from './request-target.ts';

/** A request that came through node:http. */
export function requestOfIncoming(
  incoming: IncomingMessage,
  { mountPath: mount = '', clientAddress }: Pick<ApiListenerOptions, 'mountPath' | 'clientAddress'>,
): ApiRequest {
  const { method = '', url = '' } = incoming;
  const path = pathOfTarget(url);
  return {
    method,
    url,
    mount,
    path: path.startsWith(mount) ? path.slice(mount.length) : '*',
    clientAddress: () => clientAddress(incoming),
    header: (name) => headerOf(incoming, name),
    body: () => readBody(incoming),
  };
}

/** All values of a header, as `fetch` joins them: node:http keeps only the first of two types of a body. */
function headerOf(incoming: IncomingMessage, name: string): string | undefined {
  if (name === 'content-type') return incoming.headersDistinct[name]?.join(', ');
  // The one header that is a list, Set-Cookie, is none of a request.
  return incoming.headers[name] as string | undefined;
}

/** Counts while it reads: a body without a length may have no end. */
function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;

    function take(chunk: Buffer): void {
      size += chunk.byteLength;
      if (size > BODY_MAX_BYTES) {
        incoming.off('data', take);
        reject(tooLarge());
      } else {
        chunks.push(chunk);
      }
    }

    incoming.on('data', take);
    incoming.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    incoming.once('error', () => reject(brokenOff()));
    incoming.once('close', () => {
      if (!incoming.readableEnded) reject(brokenOff());
    });
  });
}

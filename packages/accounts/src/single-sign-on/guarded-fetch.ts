import type { CustomFetch } from 'openid-client';

/** How long a provider may take for a response, its body included. */
const ANSWER_WITHIN_MS = 5_000;

/** A larger response of a provider is refused. Real ones take a few kilobytes. */
const ANSWER_MAX_BYTES = 1_000_000;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** A request to a provider failed before a response arrived. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
}

/** Returns whether a request to the provider failed, at any depth of causes. */
export function hasFault(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof ProviderFault) return true;
  return false;
}

/**
 * Returns a `fetch` for requests to providers: encrypted, without redirects, with a deadline and a bound on the response. The
 * addresses come from a provider's own description of itself, so a provider cannot send this server to a metadata service or
 * another plain-text service inside its network.
 * @param options.allowsLoopback whether `http://` to this machine is allowed
 */
export function createGuardedFetch({ allowsLoopback }: { readonly allowsLoopback: boolean }): CustomFetch {
  return async (url, { body: sent, headers, method }) => {
    const { protocol, hostname, host } = new URL(url);
    if (protocol !== 'https:' && !(allowsLoopback && protocol === 'http:' && LOOPBACK.includes(hostname))) {
      throw new ProviderFault(`${host} is not https`);
    }
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    try {
      const response = await fetch(url, { body: sent ?? null, headers, method, redirect: 'manual', signal });
      const body = await readAtMost(response, ANSWER_MAX_BYTES);
      if (response.status >= 500 || (response.status >= 300 && response.status < 400)) {
        throw new ProviderFault(`${host} answered ${response.status}`);
      }
      // A response with one of these statuses has no body.
      return new Response([204, 205, 304].includes(response.status) ? null : body, response);
    } catch (cause) {
      if (cause instanceof ProviderFault) throw cause;
      throw new ProviderFault(`${host} does not answer`, { cause });
    }
  };
}

async function readAtMost(response: Response, max: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | undefined = response.body ?? undefined;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > max) throw new ProviderFault('the answer is too large');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

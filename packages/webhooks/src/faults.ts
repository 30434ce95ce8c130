/** A request that got no response, with a sentence for the log. It names no address: clients could look up internal names. */
export class SendFault extends Error {}

export const ADDRESS_NOT_PUBLIC =
  'The host has an address that is not public. Use a public address, or ask the operator to allow its network.';
export const NOT_ENCRYPTED = 'The URL begins with http://. Use https://.';
export const NAME_NOT_RESOLVED = 'The name of the host could not be resolved. Check the URL.';
export const URL_NOT_VALID = 'The URL is not a valid https:// address.';
export const STOPPED = 'The server stopped before the receiver responded.';
export const noResponseWithin = (ms: number): string =>
  `The receiver did not respond within ${ms / 1_000} seconds.`;

const CLOSED = 'The receiver closed the connection before it responded.';
const UNREACHABLE = 'The receiver could not be reached.';

/** Sentences by the code of Node's error. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  HPE_INVALID_EOF_STATE: CLOSED,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  HPE_HEADER_OVERFLOW: 'The head of the response is too large.',
};

/** Says in a sentence why a request got no response, without addresses. */
export function faultSentence(error: unknown): string {
  if (error instanceof SendFault) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  const sentence = SENTENCES[code];
  if (sentence !== undefined) return sentence;
  if (code.startsWith('HPE_')) return 'The response is not valid HTTP.';
  if (/CERT|ISSUER|LEAF_SIGNATURE/.test(code))
    return `The TLS certificate of the receiver is not valid (${code}).`;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return `No TLS connection could be made (${code}).`;
  return `The request failed (${code}).`;
}

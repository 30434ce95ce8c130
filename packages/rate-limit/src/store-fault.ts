/**
 * Why a store does not count, in one line. The error of a client library can carry the command that failed, and so a
 * password or a request's data: only its code and message are taken over.
 */
export function storeFault(store: 'Redis' | 'Postgres', error: unknown): Error {
  return new Error(`${store} does not count requests: ${reason(error)}`);
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { code } = error as { code?: unknown };
  // An AggregateError, one error for each address of the host, has no message.
  const [line = ''] = error.message.split('\n');
  if (typeof code !== 'string' || line.includes(code)) return line || error.name;
  return line === '' ? code : `${line} (${code})`;
}

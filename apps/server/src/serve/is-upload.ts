import type { IncomingMessage } from 'node:http';

/** Whether a request brings a file of a verification, which may take its time. */
export function isUpload({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url.startsWith('/verify/') &&
    headers['content-type']?.startsWith('multipart/form-data') === true
  );
}

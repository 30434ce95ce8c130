import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What becomes of a request: the server answers, its answer is lost or breaks off, or the proxy refuses the request. */
type Outcome = 'answered' | 'lost' | 'broken' | Refusal;

/** The proxy denies access, or says what versitygw says after it deleted the folder of a new object. */
type Refusal = 'denied' | 'folder lost';

const REFUSALS: Readonly<Record<Refusal, readonly [status: number, code: string]>> = {
  denied: [403, 'AccessDenied'],
  'folder lost': [409, 'ExistingObjectIsDirectory'],
};

/** Starts a proxy before a server of the S3 API. @returns its URL */
export async function givenProxy(
  endpoint: string,
  outcomeOf: (method: string, url: string) => Outcome,
): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const outcome = outcomeOf(method, url);
    if (outcome === 'denied' || outcome === 'folder lost') {
      const [status, code] = REFUSALS[outcome];
      incoming.resume();
      outgoing
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<Error><Code>${code}</Code><Message>Refused</Message></Error>`);
      return;
    }
    const passedOn = request(endpoint + url, { method, headers }, (answer) => {
      if (outcome === 'lost') {
        answer.resume().once('end', () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      if (outcome === 'broken') {
        answer.once('data', (chunk) => outgoing.write(chunk, () => incoming.socket.destroy()));
        return;
      }
      answer.pipe(outgoing);
    });
    incoming.pipe(passedOn);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

import { connect, type Socket } from 'node:net';
import type { ServerProcess } from '../processes/server-process.ts';
import type { Answer, Envelope } from './api-client.ts';

/** A TCP connection that can send any text, also invalid HTTP. */
export interface RawConnection {
  send(text: string): void;
  /** Resolves to the first response once the server closes the connection. */
  readonly answer: Promise<Answer>;
  close(): void;
}

/** Opens a connection and waits until it is established. */
export async function openConnection({
  host,
  port,
}: Pick<ServerProcess, 'host' | 'port'>): Promise<RawConnection> {
  const socket = connect({ host, port });
  const answer = answerOn(socket);
  // Callers that await `answer` get the rejection; without them it must not end the process.
  answer.catch(() => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return { send: (text) => void socket.write(text), answer, close: () => void socket.destroy() };
}

function answerOn(socket: Socket): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let received = '';
    let failure: Error | undefined;
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
    });
    // A reset after the response does not invalidate the response.
    socket.on('error', (error) => {
      failure = error;
    });
    socket.once('close', () => {
      if (received === '') reject(failure ?? new Error('the connection was closed without an answer'));
      else resolve(parseAnswer(received));
    });
  });
}

/** Parses the first HTTP response of a text (RFC 9112, section 2.1). */
function parseAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...fields] = text.slice(0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (end === -1 || status === undefined)
    throw new Error(`not an HTTP response: ${JSON.stringify(text.slice(0, 200))}`);
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon), field.slice(colon + 1).trim()];
    }),
  );
  const body = Buffer.from(text.slice(end + 4)).subarray(0, Number(headers.get('content-length')));
  return { status: Number(status), headers, body: JSON.parse(body.toString()) as Envelope };
}

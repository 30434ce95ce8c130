import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP connection that can send invalid HTTP. */
export interface RawConnection {
  readonly socket: Socket;
  send(text: string): void;
  /** Resolves to everything received once the server closes the connection. */
  readonly closed: Promise<string>;
  /** Resolves to everything received once it contains `part`. */
  receive(part: string): Promise<string>;
}

export async function openRawConnection(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => (received += chunk));
  socket.on('close', () => resolve(received));
  // A reset also closes the connection; the text received before it is kept.
  socket.on('error', () => undefined);
  await once(socket, 'connect');

  return {
    socket,
    send: (text) => void socket.write(text),
    closed,
    async receive(part) {
      while (!received.includes(part)) {
        if (socket.closed)
          throw new Error(`closed before ${JSON.stringify(part)} was received, after: ${received}`);
        await Promise.race([once(socket, 'data'), closed]);
      }
      return received;
    },
  };
}

/** Parses an HTTP response. Header names become lower case. */
export function parseResponse(text: string): { status: number; headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.split(': '))
    .map(([name = '', value = '']) => [name.toLowerCase(), value]);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}

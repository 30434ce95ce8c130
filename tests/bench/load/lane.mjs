import { connect } from 'node:net';

/**
 * One connection that is kept alive, with one request under way at a time.
 * @typedef {object} Lane
 * @property {(next: () => Buffer | undefined, receive: (status: number, body: () => string) => void) => Promise<void>} run
 *   sends what `next` gives until that is nothing, and hands every answer to `receive`
 * @property {(error: Error) => void} fail ends a run that waits for an answer
 * @property {() => void} close
 */

const READ_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Bare sockets, because a client of HTTP costs more than the server that is to be measured. Of an answer it reads the
 * status and `Content-Length`, and nothing else.
 * @param {number} port on 127.0.0.1
 * @returns {Promise<Lane>}
 */
export function openLane(port) {
  /** @type {() => Buffer | undefined} */
  let next = () => undefined;
  /** @type {(status: number, body: () => string) => void} */
  let receive = () => undefined;
  let done = () => {};
  /** @type {(error: Error) => void} */
  let fail = () => {};
  /** The beginning of an answer that has not arrived whole. @type {Buffer | undefined} */
  let partial;

  /** @param {Buffer} chunk valid only until this returns */
  function take(chunk) {
    const bytes = partial === undefined ? chunk : Buffer.concat([partial, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    const head = headEnd === -1 ? undefined : bytes.toString('latin1', 0, headEnd + 2);
    const length = head === undefined ? 0 : lengthIn(head);
    const end = headEnd + HEAD_END.length + length;
    if (head === undefined || bytes.length < end) {
      partial = Buffer.from(bytes);
      return;
    }
    partial = undefined;
    if (bytes.length > end) throw new Error('more was answered than asked for');
    receive(Number(head.slice(9, 12)), () => bytes.toString('utf8', end - length, end));
    send();
  }

  function send() {
    const request = next();
    if (request === undefined) done();
    else socket.write(request);
  }

  const socket = connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback(size, buffer) {
        try {
          take(/** @type {Buffer} */ (buffer).subarray(0, size));
        } catch (error) {
          fail(/** @type {Error} */ (error));
        }
        return true;
      },
    },
  });

  return new Promise((resolve, reject) => {
    fail = reject;
    socket.on('error', (error) => fail(error));
    socket.on('close', () => fail(new Error('the server closed the connection')));
    socket.on('connect', () =>
      resolve({
        run: (theNext, theReceive) =>
          new Promise((resolveRun, rejectRun) => {
            next = theNext;
            receive = theReceive;
            done = resolveRun;
            fail = rejectRun;
            send();
          }),
        fail: (error) => fail(error),
        close: () => socket.destroy(),
      }),
    );
  });
}

/** @param {string} head */
function lengthIn(head) {
  const found = /\r\ncontent-length: *(\d+)\r\n/i.exec(head);
  if (found === null) throw new Error(`an answer without Content-Length: ${head.slice(0, head.indexOf('\r\n'))}`);
  return Number(found[1]);
}

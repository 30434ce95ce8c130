import { connect } from 'node:net';

/**
 * A persistent connection with one request in flight at a time.
 * @typedef {object} Lane
 * @property {(next: () => Buffer | undefined, receive: (status: number, body: () => string) => void) => Promise<void>} run
 *   sends the requests from `next` until it returns undefined, and passes each response to `receive`
 * @property {(error: Error) => void} fail rejects the current run
 * @property {() => void} close
 */

const READ_BYTES = 64 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Opens a connection on a bare socket, because an HTTP client costs more CPU time than the measured server. Parses only
 * the status and `Content-Length` of a response.
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
  /** The start of an incomplete response. @type {Buffer | undefined} */
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
    if (bytes.length > end) throw new Error('The response is longer than its Content-Length');
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
            if (socket.destroyed) rejectRun(new Error('the server closed the connection while it was idle'));
            else send();
          }),
        fail: (error) => fail(error),
        close: () => socket.destroy(),
      }),
    );
  });
}

/**
 * Sends one request.
 * @param {Lane} lane
 * @param {Buffer | undefined} request
 * @param {(status: number, body: () => string) => void} receive
 * @returns {Promise<number>} milliseconds until the response has arrived
 */
export async function sendOnce(lane, request, receive) {
  let next = request;
  const sent = performance.now();
  let answered = sent;
  await lane.run(
    () => {
      const now = next;
      next = undefined;
      return now;
    },
    (status, body) => {
      answered = performance.now();
      receive(status, body);
    },
  );
  return answered - sent;
}

/** @param {string} head */
function lengthIn(head) {
  const found = /\r\ncontent-length: *(\d+)\r\n/i.exec(head);
  if (found === null) throw new Error(`response without Content-Length: ${head.slice(0, head.indexOf('\r\n'))}`);
  return Number(found[1]);
}

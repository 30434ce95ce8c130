// Uploads pictures as fast as the server takes them, as told by messages (attackers.mjs).
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** After a refusal for too many requests or files. */
const REFUSED_PAUSE_MS = 500;
const BOUNDARY = 'countersign-bench';
const agent = new Agent({ keepAlive: true });

/** @type {{ isOver: boolean, counts: Promise<{ sent: number, accepted: number }> } | null} */
let current = null;

process.on('disconnect', () => process.exit(0));
process.on('message', (/** @type {import('./attackers.mjs').Attack | 'end'} */ message) => {
  if (message === 'end') void end();
  else current = begin(message);
});

async function end() {
  if (current === null) return;
  current.isOver = true;
  // Uploads that still wait would delay the next round: the server drops them.
  agent.destroy();
  process.send?.(await current.counts);
}

/** @param {import('./attackers.mjs').Attack} attack */
function begin({ senders, atOnce, pictures, ...target }) {
  const bodies = pictures.map(formOf);
  const attack = { isOver: false, counts: Promise.resolve({ sent: 0, accepted: 0 }) };
  let sent = 0;
  let accepted = 0;

  /** @param {import('./attackers.mjs').Attack['senders'][number]} sender */
  async function send(sender) {
    while (!attack.isOver) {
      const status = await upload(
        { ...target, ...sender },
        /** @type {Buffer} */ (bodies[sent++ % bodies.length]),
      );
      if (status === 303) accepted++;
      else await pause(REFUSED_PAUSE_MS);
    }
  }
  const loops = senders.flatMap((sender) => Array.from({ length: atOnce }, () => send(sender)));
  attack.counts = Promise.all(loops).then(() => ({ sent, accepted }));
  return attack;
}

/**
 * @param {{ port: number, origin: string, cookie: string, path: string }} target
 * @param {Buffer} body
 */
async function upload({ port, origin, cookie, path }, body) {
  const headers = {
    Origin: origin,
    Cookie: cookie,
    'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    'Content-Length': body.byteLength,
  };
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent });
  sent.end(body);
  try {
    const [response] = await once(sent, 'response');
    response.resume();
    await once(response, 'close');
    return response.statusCode;
  } catch {
    // The server closed the connection, as it may when it refuses a body.
    return null;
  }
}

/** A form as a browser sends it. @param {Uint8Array} picture */
function formOf(picture) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="picture"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

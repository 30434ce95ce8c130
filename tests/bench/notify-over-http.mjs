// Measures creations with and without the subject's e-mail address as a client sees them: requests to the server on SQLite, one
// after the other over one connection.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createClientsInSqlite } from './create-clients.mjs';
import { openLane, sendOnce } from './load/lane.mjs';
import { creationOf, inTurns } from './notify-kinds.mjs';
import { startServer } from './programs.mjs';
import { median } from './rounds.mjs';
import { rowsInSqlite } from './rows-of-creation.mjs';
import { cpuMicroseconds } from './usage.mjs';
import { workFolder } from './work-folder.mjs';

/** @typedef {import('./notify-kinds.mjs').Kind} Kind */

/** No mail server: mails wait, because sending is not part of the request. */
const MAIL = { SMTP_URL: 'smtps://127.0.0.1:1', MAIL_FROM: 'no-reply@verify.example' };

/**
 * Each round measures the response times of both kinds in turns, then the server's CPU for as many of one kind and of the other.
 * Returns microseconds of a request, and the median over the rounds of each ratio. `fastest`: p10 of all response times, which other
 * work on the machine changes least..
 * @param {{ rounds: number, requests: number }} extent `requests` of each kind in a round
 */
export async function measureOverHttp({ rounds, requests }) {
  const dataDir = join(workFolder(), 'notify');
  mkdirSync(dataDir);
  const file = join(dataDir, 'countersign.db');
  const [client] = await createClientsInSqlite(file, 1);
  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: 'https://verify.example' };
  const rowsOf = (/** @type {string} */ subjectReference) => rowsInSqlite(file, subjectReference);
  const database = { env: { DATA_DIR: dataDir, ...MAIL }, rowsOf };
  const server = await startServer({ database, logFile: join(dataDir, 'server.log'), secrets });
  const lane = await openLane(server.port);

  /** Creates a verification. @param {Kind} kind @returns {Promise<number>} microseconds until the response has arrived */
  async function post(kind) {
    const body = JSON.stringify(creationOf(kind, randomBytes(16).toString('hex')));
    const head = [
      'POST /api/v1/verifications HTTP/1.1',
      `Host: 127.0.0.1:${server.port}`,
      `X-API-Key: ${client?.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
    const milliseconds = await sendOnce(lane, request, (status, text) => {
      if (status !== 201) throw new Error(`expected 201, got ${status}: ${text()}`);
    });
    return milliseconds * 1_000;
  }

  const all = { without: /** @type {number[]} */ ([]), with: /** @type {number[]} */ ([]) };
  const time = collected();
  const cpu = collected();
  for (let round = 0; round <= rounds; round += 1) {
    const times = { without: /** @type {number[]} */ ([]), with: /** @type {number[]} */ ([]) };
    for (let n = 0; n < requests; n += 1) for (const kind of inTurns(n)) times[kind].push(await post(kind));
    const spent = { without: 0, with: 0 };
    for (const kind of inTurns(round)) {
      const before = cpuMicroseconds(server.pid);
      for (let n = 0; n < requests; n += 1) await post(kind);
      spent[kind] = (cpuMicroseconds(server.pid) - before) / requests;
    }
    // The first round warms up.
    if (round === 0) continue;
    for (const kind of inTurns(round)) all[kind].push(...times[kind]);
    time.add({ without: median(times.without), with: median(times.with) });
    cpu.add(spent);
  }
  lane.close();
  await server.stop();
  const fastest = { without: p10(all.without), with: p10(all.with) };
  return { time: time.figures(), fastest, cpu: cpu.figures() };
}

/** @param {readonly number[]} values at least one */
function p10(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? Number.NaN;
}

/** Collects figures of both kinds, round by round. */
function collected() {
  /** @type {Record<Kind, number>[]} */
  const rounds = [];
  return {
    add: (/** @type {Record<Kind, number>} */ round) => void rounds.push(round),
    figures: () => ({
      without: median(rounds.map((round) => round.without)),
      with: median(rounds.map((round) => round.with)),
      ratio: median(rounds.map((round) => round.with / round.without)),
    }),
  };
}

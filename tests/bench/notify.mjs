// Measures what the subject's e-mail address costs a creation: with and without `notify` in turns, over HTTP and in process.
// The target is for what a client sees, because that is what a client waits for: the response over HTTP. In process, the same
// microseconds are a larger part of a request.
import { measureInProcess } from './notify-in-process.mjs';
import { measureOverHttp } from './notify-over-http.mjs';

/** The most that the response time over HTTP may grow with an address. */
const TARGET = 1.05;
const FULL = { http: { rounds: 40, requests: 100 }, inProcess: { lone: 4_000, rounds: 40, atOnce: 64 } };
const SHORT = { http: { rounds: 2, requests: 5 }, inProcess: { lone: 20, rounds: 2, atOnce: 8 } };

/** @param {{ short: boolean, say: (line: string) => void }} options `say` reports progress */
export async function benchNotify({ short, say }) {
  const extent = short ? SHORT : FULL;
  say(`over HTTP: ${extent.http.rounds} rounds of ${extent.http.requests} requests of each kind …`);
  const http = await measureOverHttp(extent.http);
  say(`in process: ${extent.inProcess.lone} requests of each kind …`);
  const { time, cpu } = await measureInProcess(extent.inProcess);

  const text = [
    line('POST over HTTP, one after the other, p50', http.time),
    line('the same, p10', http.fastest),
    line('CPU of the server for it', http.cpu),
    line('POST in process, one after the other, p50', time),
    line(`CPU of it, ${extent.inProcess.atOnce} at once`, cpu),
    `POST with an address, of one without, over HTTP: ${http.time.ratio.toFixed(3)} (at most ${TARGET})`,
  ].join('\n');
  return { text, ok: http.time.ratio <= TARGET };
}

/** @param {string} name @param {{ without: number, with: number, ratio?: number }} figures */
function line(name, { without, with: withAddress, ratio = withAddress / without }) {
  return `${name}: ${without.toFixed(0)} µs, with an address ${withAddress.toFixed(0)} µs (${ratio.toFixed(3)})`;
}

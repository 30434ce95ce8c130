import { setTimeout as pause } from 'node:timers/promises';
import { openLane, sendOnce } from './lane.mjs';

/**
 * Sends the prepared requests in turn, over several connections, until the time is over. Expects every
 * response to be a success.
 * @param {{ port: number, connections: number, seconds: number, perSecond: number, prepared: readonly Buffer[] }} calls
 * @returns {Promise<{ requests: number, seconds: number, milliseconds: readonly number[] }>}
 */
export async function runCalls({ port, connections, seconds, perSecond, prepared }) {
  /** @type {number[]} */
  const milliseconds = [];
  const lanes = await Promise.all(Array.from({ length: connections }, () => openLane(port)));
  const start = performance.now();
  const end = start + seconds * 1000;
  const every = (1000 * connections) / perSecond;

  /** @param {import('./lane.mjs').Lane} lane @param {number} number */
  async function callInTurn(lane, number) {
    // Each connection begins a part of the interval later, so that the calls do not come in bursts.
    let at = start + (every * number) / connections;
    // A call that was late is made up for, but not after the end.
    for (let call = number; at < end && performance.now() < end; call += connections, at += every) {
      await pause(Math.max(0, at - performance.now()));
      milliseconds.push(await sendOnce(lane, prepared[call % prepared.length], expectSuccess));
    }
  }

  try {
    await Promise.all(lanes.map(callInTurn));
    return { requests: milliseconds.length, seconds: (performance.now() - start) / 1000, milliseconds };
  } finally {
    for (const lane of lanes) lane.close();
  }
}

/** @param {number} status @param {() => string} body */
function expectSuccess(status, body) {
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${body()}`);
}

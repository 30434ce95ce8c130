import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Running } from '../processes/child-process.ts';
import { freePort } from '../processes/free-port.ts';
import { until } from '../processes/until.ts';

const SAMPLES = join(import.meta.dirname, '../../../deploy');

/** A proxy that runs a sample of `deploy/`, changed only where an operator has to. */
export interface ReverseProxy {
  /** `https://localhost:4711`, with the certificate of LOCALHOST_PEM. */
  readonly origin: string;
  readonly port: number;
  /** The port of plain HTTP, which redirects to TLS. */
  readonly plainPort: number;
  /** Returns what it has logged so far. */
  log(): string;
  stop(): Promise<void>;
}

/** The ports of a proxy: servers need the one for TLS in PUBLIC_BASE_URL before the proxy starts. */
export interface ProxyPorts {
  readonly tls: number;
  readonly plain: number;
}

/** Returns free ports for a proxy. */
export async function proxyPorts(): Promise<ProxyPorts> {
  return { tls: await freePort(), plain: await freePort() };
}

/**
 * Copies samples with changes, each of which must be found.
 * @param source a folder of `deploy/`
 */
export function copySamples(
  source: string,
  target: string,
  names: readonly string[],
  changes: readonly (readonly [from: string, to: string])[],
): void {
  const texts = names.map((name) => readFileSync(join(SAMPLES, source, name), 'utf8'));
  for (const [from] of changes) {
    if (!texts.some((text) => text.includes(from))) throw new Error(`no sample of ${source} has “${from}”`);
  }
  for (const [n, name] of names.entries()) {
    const changed = changes.reduce((text, [from, to]) => text.replaceAll(from, to), texts[n] ?? '');
    writeFileSync(join(target, name), changed);
  }
}

/**
 * Waits until a proxy takes connections.
 * @throws Error with the output of a proxy that has ended
 */
export async function untilOpen(running: Running, port: number): Promise<void> {
  await until(async () => (await isOpen(port)) || (await hasEnded(running)));
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function hasEnded({ finished, output }: Running): Promise<boolean> {
  const ended = await Promise.race([
    finished,
    new Promise<undefined>((resolve) => setImmediate(resolve, undefined)),
  ]);
  if (ended !== undefined) throw new Error(`the proxy ended:\n${output()}`);
  return false;
}

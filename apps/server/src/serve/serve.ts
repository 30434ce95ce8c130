import { createSqliteStorage, lockForServing } from '@countersign/storage-sqlite';
import type { DependencyContainer } from 'tsyringe';
import { type Closers, createClosers } from '../composition/closers.ts';
import { createServerContainer } from '../composition/server-container.ts';
import { tokens } from '../composition/tokens.ts';
import { ensureDataDirectory } from '../config/data-directory.ts';
import type { ServerSettings } from '../config/environment.ts';
import { secretKeysIn } from '../config/secret-key-file.ts';
import { createLog, type Log } from '../logging/log.ts';
import { createOutput, type Output } from '../logging/output.ts';
import { serverVersion } from '../version.ts';
import { bannerText } from './banner.ts';
import { createDemoClient } from './demo-client.ts';
import { stopServer } from './graceful-stop.ts';
import type { Phase } from './health.ts';
import { listen } from './listen.ts';
import { createNodeServer } from './node-server.ts';
import { newRequestId } from './request-id.ts';
import { listenForStopSignals } from './stop-signals.ts';
import { endNow, endOnUncaught } from './uncaught.ts';

interface Surroundings {
  readonly closers: Closers;
  readonly output: Output;
  readonly log: Log;
}

/**
 * Serves until a signal asks it to stop, and resolves when everything is closed again.
 * @throws SettingError, SqliteOpenError before anything is served
 */
export async function serve(settings: ServerSettings): Promise<void> {
  const output = createOutput();
  const log = createLog({ level: settings.logLevel, output });
  const closers = createClosers();
  closers.push(endOnUncaught(log, output));
  try {
    await serveUntilAsked(settings, { closers, output, log });
    await closers.closeAll();
    log.event('stopped');
  } finally {
    await closers.closeAll();
    log.flush();
    await output.close();
  }
}

async function serveUntilAsked(settings: ServerSettings, { closers, output, log }: Surroundings): Promise<void> {
  const signals = listenForStopSignals({
    onSecond: (signal) => endNow({ log, output }, `second ${signal}, stopped at once`),
  });
  closers.push(signals.ignore);

  let phase: Phase = 'starting';
  const container = await compose(settings, { closers, log, phase: () => phase });
  const countersign = container.resolve(tokens.countersign);
  const ids = container.resolve(tokens.ids);
  const { server, connections } = createNodeServer({
    listener: container.resolve(tokens.listener),
    newRequestId,
    countRequest: countersign.rateLimits.forAddress,
    onResponse: log.request,
  });
  await listen(server, settings);
  closers.push(async () => {
    const { finished } = await stopServer(server, connections);
    if (!finished) log.warning('requests that ran too long were cut off');
  });

  const { host, port, publicBaseUrl, production } = settings;
  if (!production) {
    // Only now: a start that fails must not use up the one showing of the demo key.
    const demo = await createDemoClient(countersign);
    output.write(bannerText({ host, port, publicBaseUrl, demo, uniqueSuffix: ids.next() }));
  }
  log.event('listening', { host, port, version: serverVersion(), node: process.versions.node });
  // Whoever waits for `/readyz` finds everything printed.
  output.flushSync();
  phase = 'serving';

  const signal = await signals.first;
  phase = 'stopping';
  log.event('stopping', { signal });
}

/** Opens what the server stands on, and builds it. */
async function compose(
  settings: ServerSettings,
  { closers, log, phase }: Pick<Surroundings, 'closers' | 'log'> & { phase(): Phase },
): Promise<DependencyContainer> {
  ensureDataDirectory(settings.dataDir);
  const lock = lockForServing(settings.databaseFile);
  closers.push(() => lock.release());
  const storage = await createSqliteStorage({ file: settings.databaseFile });
  closers.push(() => storage.close());
  const secretKeys = settings.secretKeys ?? secretKeysIn(settings.dataDir);
  return createServerContainer({ settings, storage, secretKeys, log, phase });
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Countersign, DocumentReader } from '@countersign/domain';
import type { DoctorSettings } from '../config/settings.ts';
import { createDocumentReader } from '../document-reader/document-reader.ts';
import type { Log } from '../logging/log.ts';
import { countReadings } from '../metrics/count-readings.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { WARNINGS_TIMEOUT_MS } from '../serve/graceful-stop.ts';

/** How often the log names a reader that fails. Each picture may fail. */
const WARN_EVERY_MS = 60 * 60 * 1_000;

/** The reader of a server. */
export interface ServerReader {
  /** Undefined where no documents are read. */
  readonly reader: DocumentReader | undefined;
  close(): void;
}

/** Creates the reader of documents, unless `READER` is `off`. Nothing is started before the first picture. */
export function createServerReader(
  { readsDocuments }: Pick<DoctorSettings, 'readsDocuments'>,
  { log, metrics }: { readonly log: Pick<Log, 'warning'>; readonly metrics: Pick<Metrics, 'begin'> | undefined },
): ServerReader {
  if (!readsDocuments) return { reader: undefined, close: () => undefined };
  const reader = createDocumentReader({ onFailure: warnSeldom(log) });
  return {
    reader: metrics === undefined ? reader : countReadings(reader, metrics),
    close: reader.close,
  };
}

/**
 * Ends the reader, then waits for the readings that end with it and for their warnings, at most `WARNINGS_TIMEOUT_MS`. The database closes
 * after it.
 */
export async function endReadings(
  reader: Pick<ServerReader, 'close'>,
  warnings: Pick<Countersign['warnings'], 'settled' | 'dropWaiting'>,
  { log, wait = pause }: { readonly log: Pick<Log, 'warning'>; readonly wait?: Wait | undefined },
): Promise<void> {
  reader.close();
  const waiting = new AbortController();
  const settled = warnings.settled().then(() => true);
  const isSettled = await Promise.race([settled, wait(WARNINGS_TIMEOUT_MS, false, { signal: waiting.signal })]);
  waiting.abort();
  if (isSettled) return;
  warnings.dropWaiting();
  log.warning(
    'the server stopped before the warnings of all cases were kept: run `countersign warnings recompute --all`',
    {
      waitedMs: WARNINGS_TIMEOUT_MS,
    },
  );
}

/** Resolves to `value` after a while; rejects when `signal` aborts. */
export type Wait = (ms: number, value: false, options: { readonly signal: AbortSignal }) => Promise<false>;

/** Returns a function that logs, at most once an hour, that documents were not read, with their number since the last line. */
export function warnSeldom(log: Pick<Log, 'warning'>, now: () => number = Date.now): (reason: string) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return (reason) => {
    count += 1;
    if (now() - warnedAt < WARN_EVERY_MS) return;
    log.warning('documents were not read by the reader: subjects type the details instead', { reason, count });
    warnedAt = now();
    count = 0;
  };
}

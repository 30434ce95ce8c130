import { findUnfinishedErasures } from '@countersign/domain/retention';
import type { Storage } from '@countersign/domain/storage';
import type { ErasedSpace } from '@countersign/storage-sqlite';
import { diskBytes, freeBytes } from '../files.ts';
import type { Job } from '../serve/jobs.ts';
import type { SlowFigures } from './service-metrics.ts';

export interface FiguresSource {
  readonly storage: Pick<Storage, 'verifications' | 'retention' | 'webhooks'> & {
    sizeBytes(): Promise<number>;
    readonly erasedSpace?: Pick<ErasedSpace, 'find'>;
  };
  /** Folders by the names that metrics give them. */
  readonly folders: Readonly<Record<string, string>>;
}

/** Counts by status read an index of all verifications, so they are not made for each scrape. */
const EVERY_MS = 60_000;

/** Counting may take one part in so many of the time: a count of 2 s is repeated after 200 s, also for the operators' page. */
const SHARE = 100;

/** Unfinished erasures that are counted. */
const MOST_UNFINISHED = 1_000;

/** Counts of what waits to be sent stop here, so that they cost little in a long outage of a receiver. */
export const COUNT_UP_TO = 10_000;

/** The slow figures of this server, which metrics and the operators' page share. */
export interface Figures {
  /** Reads the figures again if the last reading is long enough ago. Calls at the same time share a reading. */
  refresh(): Promise<void>;
  /** Returns the figures of the last reading; null before the first one. */
  latest(): SlowFigures | null;
}

/** @param onRead gets the figures of each reading */
export function createFigures(
  source: FiguresSource,
  onRead: (figures: SlowFigures) => void = () => undefined,
  now: () => number = () => performance.now(),
): Figures {
  let notBefore = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let last: SlowFigures | null = null;

  async function read(): Promise<void> {
    const startedAt = now();
    try {
      last = await readFigures(source);
      onRead(last);
    } finally {
      notBefore = now() + (now() - startedAt) * SHARE;
      reading = undefined;
    }
  }

  return {
    async refresh() {
      if (reading === undefined && now() < notBefore) return;
      reading ??= read();
      await reading;
    },
    latest: () => last,
  };
}

/** Makes the job that reads the slow figures for metrics. Each server reads them for itself. */
export function readFiguresJob({ refresh }: Pick<Figures, 'refresh'>): Job {
  return { name: 'read_figures', run: refresh, interval: { everyMs: EVERY_MS } };
}

async function readFigures({ storage, folders }: FiguresSource): Promise<SlowFigures> {
  const { verifications, retention, webhooks } = storage;
  const now = new Date();
  const load = await verifications.reviewLoad({ now, decidedFrom: now });
  const unfinished = await findUnfinishedErasures(retention, { now, limit: MOST_UNFINISHED });
  return {
    verifications: await verifications.countByStatus(),
    oldestSubmittedAt: load.waitingSince,
    overdue: load.overdue,
    overdueSince: load.overdueSince,
    databaseBytes: await storage.sizeBytes(),
    unclearedSince: (await storage.erasedSpace?.find())?.since ?? null,
    unfinishedErasures: unfinished.length,
    pausedEndpoints: await webhooks.countPausedAfterFailures(),
    disks: await Promise.all(
      Object.entries(folders).map(async ([folder, path]) => {
        return { folder, freeBytes: await freeBytes(path), sizeBytes: await diskBytes(path) };
      }),
    ),
  };
}

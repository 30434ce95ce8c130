import type { StatusCounts } from '@countersign/domain';
import type { DecoderStats } from '@countersign/evidence';
import type { PoolStats } from '@countersign/storage-postgres';
import { secondsSince } from './backlog-metrics.ts';
import type { Handles, Metrics } from './metrics.ts';

/** Figures that take a while to read: they come from whole indexes of the database, and from the file system. */
export interface SlowFigures {
  readonly verifications: StatusCounts;
  /** When the verification that waits longest for a reviewer was submitted; null if none waits. */
  readonly oldestSubmittedAt: Date | null;
  /** Verifications that wait for a reviewer although the due time of their client has passed. */
  readonly overdue: number;
  /** The earliest due time that has passed; null if none has. */
  readonly overdueSince: Date | null;
  readonly databaseBytes: number;
  /** When the oldest erasure began after which copies of erased values can be in the SQLite file; null without any, and on Postgres. */
  readonly unclearedSince: Date | null;
  /** Erasures that began more than ten minutes ago and have not finished. */
  readonly unfinishedErasures: number;
  /** Endpoints of webhooks that are paused because their requests failed. */
  readonly pausedEndpoints: number;
  readonly disks: readonly { readonly folder: string; readonly freeBytes: number; readonly sizeBytes: number }[];
}

/** Sources of the figures that are known at any time. */
export interface LiveFigures {
  readonly version: string;
  /** Number of configured secrets. */
  readonly secrets: number;
  /** Returns the number of secrets that sealed stored data and that this server lacks. */
  missingSecrets(): number;
  decoder(): DecoderStats;
  /** `isSound` is undefined for Postgres, the others for SQLite. */
  readonly storage: { poolStats?(): PoolStats; creationsWaiting?(): number; isSound?(): boolean };
}

/** Metrics of the service as its operators see it. */
export interface ServiceMetrics {
  /** Publishes figures that were just read. Until the first call, they are absent. */
  publish(figures: SlowFigures): void;
}

/** Starts the metrics of an opened service. Live figures are read at each scrape; slow ones are those last published. */
export function beginServiceMetrics({ begin }: Pick<Metrics, 'begin'>, live: LiveFigures): ServiceMetrics {
  const { poolStats, creationsWaiting, isSound } = live.storage;
  const { build } = begin('service', {
    secrets: () => live.secrets,
    secretsMissing: live.missingSecrets,
    decoderWaiting: () => live.decoder().waiting,
    decoderRunning: () => live.decoder().running,
    decoderKills: () => live.decoder().killed,
  });
  build.set({ version: live.version, node: process.versions.node }, 1);
  if (poolStats !== undefined && creationsWaiting !== undefined) {
    begin('postgres', {
      connections: () => poolStats().connections,
      connectionsMax: () => poolStats().connectionsMax,
      queriesWaiting: () => poolStats().queriesWaiting,
      creationsWaiting,
    });
  }
  if (isSound !== undefined) begin('sqlite', { isDamaged: () => (isSound() ? 0 : 1) });

  let latest: SlowFigures;
  let handles: Handles<'figures'> | undefined;
  return {
    publish(figures) {
      latest = figures;
      handles ??= begin('figures', {
        oldestWaiting: () => secondsSince(latest.oldestSubmittedAt),
        longestOverdue: () => secondsSince(latest.overdueSince),
        erasedSpaceUncleared: () => secondsSince(latest.unclearedSince),
      });
      for (const [status, count] of Object.entries(figures.verifications))
        handles.verifications.set({ status }, count);
      handles.overdue.set(figures.overdue);
      handles.databaseBytes.set(figures.databaseBytes);
      handles.unfinishedErasures.set(figures.unfinishedErasures);
      handles.pausedEndpoints.set(figures.pausedEndpoints);
      for (const { folder, freeBytes, sizeBytes } of figures.disks) {
        handles.diskFree.set({ folder }, freeBytes);
        handles.diskSize.set({ folder }, sizeBytes);
      }
      handles.readAt.setToCurrentTime();
    },
  };
}

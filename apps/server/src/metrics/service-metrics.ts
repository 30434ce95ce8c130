import type { StatusCounts } from '@countersign/domain';
import type { DecoderStats } from '@countersign/evidence';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Figures that take a while to read: they come from whole indexes of the database, and from the file system. */
export interface SlowFigures {
  readonly verifications: StatusCounts;
  /** When the verification that waits longest for a reviewer was submitted; null if none waits. */
  readonly oldestSubmittedAt: Date | null;
  readonly databaseBytes: number;
  /** When the oldest erasure began after which copies of erased values can be in the SQLite file; null without any, and on Postgres. */
  readonly unclearedSince: Date | null;
  /** Erasures that began more than ten minutes ago and have not finished. */
  readonly unfinishedErasures: number;
  /** Endpoints of webhooks that are paused because their requests failed. */
  readonly pausedEndpoints: number;
  readonly disks: readonly { readonly folder: string; readonly freeBytes: number; readonly sizeBytes: number }[];
}

/** Figures that are known at any time. */
export interface LiveFigures {
  readonly version: string;
  /** Number of configured secrets. */
  readonly secrets: number;
  /** Returns the number of secrets that sealed stored data and that this server lacks. */
  missingSecrets(): number;
  decoder(): DecoderStats;
  /** The pool of connections; undefined for SQLite. */
  readonly pool?: (() => PoolFigures) | undefined;
  /** Creations that wait for others of their client; undefined for SQLite. */
  readonly creationsWaiting?: (() => number) | undefined;
  /** Whether the file was found damaged; undefined for Postgres. */
  readonly isDatabaseDamaged?: (() => boolean) | undefined;
}

/** Connections to the database, and the queries that wait for one. */
export interface PoolFigures {
  readonly connections: number;
  readonly connectionsMax: number;
  readonly queriesWaiting: number;
}

/** Metrics of the service as its operators see it. */
export interface ServiceMetrics {
  /** Publishes figures that were just read. Until the first call, they are absent. */
  publish(figures: SlowFigures): void;
}

/** Creates the metrics. Live figures are asked for at each scrape; slow ones are those last published. */
export function createServiceMetrics(registry: Registry, live: LiveFigures): ServiceMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, current: () => number) => addGauge(registry, { name, help, current });

  new Gauge({
    name: 'countersign_build_info',
    help: '1, with the versions of the server and of Node',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: live.version, node: process.versions.node }, 1);

  gauge('countersign_secrets', 'Configured secrets', () => live.secrets);
  gauge('countersign_secrets_missing', 'Secrets that sealed stored data and that this server lacks', () =>
    live.missingSecrets(),
  );
  gauge('countersign_decoder_waiting', 'Uploaded files that wait for the decoder', () => live.decoder().waiting);
  gauge('countersign_decoder_running', 'Uploaded files that are decoded now', () => live.decoder().running);
  registry.registerMetric(
    new Counter({
      name: 'countersign_decoder_kills_total',
      help: 'Uploaded files whose decoding was stopped at the deadline',
      registers: [],
      collect() {
        this.reset();
        this.inc(live.decoder().killed);
      },
    }),
  );
  const { pool, creationsWaiting, isDatabaseDamaged } = live;
  if (pool !== undefined) {
    gauge('countersign_database_connections', 'Open connections to the database', () => pool().connections);
    gauge('countersign_database_connections_max', 'Most connections to the database', () => pool().connectionsMax);
    gauge('countersign_database_queries_waiting', 'Queries waiting for a connection', () => pool().queriesWaiting);
  }
  if (creationsWaiting !== undefined) {
    gauge('countersign_creations_waiting', 'Creations waiting for others of their client', creationsWaiting);
  }

  if (isDatabaseDamaged !== undefined) {
    const help = '1 once the SQLite database was found damaged, until the server stops';
    gauge('countersign_database_damaged', help, () => (isDatabaseDamaged() ? 1 : 0));
  }

  return createSlowMetrics(registry);
}

/** Adds a gauge whose value is asked for at each scrape. */
function addGauge(
  registry: Registry,
  { name, help, current }: { readonly name: string; readonly help: string; readonly current: () => number },
): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(current());
    },
  });
  registry.registerMetric(gauge);
}

function createSlowMetrics(registry: Registry): ServiceMetrics {
  let slow: ReturnType<typeof slowGauges> | undefined;
  let oldestSubmittedAt: Date | null = null;
  let unclearedSince: Date | null = null;
  const begin = () =>
    slowGauges(registry, {
      oldestWaiting: () => secondsSince(oldestSubmittedAt),
      uncleared: () => secondsSince(unclearedSince),
    });

  return {
    publish(figures) {
      ({ oldestSubmittedAt, unclearedSince } = figures);
      slow ??= begin();
      for (const [status, count] of Object.entries(figures.verifications))
        slow.verifications.set({ status }, count);
      slow.databaseBytes.set(figures.databaseBytes);
      slow.unfinishedErasures.set(figures.unfinishedErasures);
      slow.pausedEndpoints.set(figures.pausedEndpoints);
      for (const { folder, freeBytes, sizeBytes } of figures.disks) {
        slow.diskFree.set({ folder }, freeBytes);
        slow.diskSize.set({ folder }, sizeBytes);
      }
      slow.readAt.setToCurrentTime();
    },
  };
}

function slowGauges(
  registry: Registry,
  seconds: { readonly oldestWaiting: () => number; readonly uncleared: () => number },
) {
  const registers = [registry];
  const folder = { labelNames: ['folder'], registers };
  addGauge(registry, {
    name: 'countersign_oldest_waiting_seconds',
    help: 'Time since the verification that waits longest for a reviewer was submitted, in test mode too; 0 if none waits',
    current: seconds.oldestWaiting,
  });
  addGauge(registry, {
    name: 'countersign_erased_space_uncleared_seconds',
    help: 'Time since the oldest erasure after which copies of erased values can be in the SQLite file; 0 without any',
    current: seconds.uncleared,
  });
  return {
    verifications: new Gauge({
      name: 'countersign_verifications',
      help: 'Verifications of all clients by status, with those in test mode; the same on every server',
      labelNames: ['status'],
      registers,
    }),
    databaseBytes: new Gauge({ name: 'countersign_database_bytes', help: 'Size of the database', registers }),
    unfinishedErasures: new Gauge({
      name: 'countersign_erasures_unfinished',
      help: 'Erasures that began more than ten minutes ago and have not finished',
      registers,
    }),
    pausedEndpoints: new Gauge({
      name: 'countersign_webhook_endpoints_paused',
      help: 'Endpoints of all clients that are paused because their requests failed',
      registers,
    }),
    diskFree: new Gauge({ name: 'countersign_disk_free_bytes', help: 'Free space for a folder', ...folder }),
    diskSize: new Gauge({
      name: 'countersign_disk_bytes',
      help: 'Size of the file system of a folder',
      ...folder,
    }),
    readAt: new Gauge({
      name: 'countersign_figures_timestamp_seconds',
      help: 'When the figures of verifications, database and disks were last read',
      registers,
    }),
  };
}

function secondsSince(moment: Date | null): number {
  return moment === null ? 0 : Math.max(0, (Date.now() - moment.getTime()) / 1_000);
}

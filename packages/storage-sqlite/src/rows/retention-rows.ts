import {
  ERASURE_RULES,
  type Erasure,
  RETENTION_PERIODS,
  type RetentionPeriod,
  type RetentionPolicy,
} from '@countersign/domain/retention';
import {
  type ClientRetention,
  DECIDING_EVENT_TYPES,
  LATER_STATUS_EVENT_TYPES,
  parseEnum,
  parseEnumOrNull,
  parseRow,
  type RetainedVerification,
  type StoredRetentionRun,
} from '@countersign/domain/storage';
import type { Columns } from '../connection/compiled.ts';
import { getTableColumns, oneOf, sql } from '../drizzle.ts';
import type { clientRetention, erasures, retentionRuns } from '../retention-tables.ts';
import { verificationEvents, verifications } from '../schema.ts';
import { parseDate, parseDateOrNull, parseJsonObject } from './parse-row.ts';
import { fromVerificationRow } from './rows.ts';

type ErasureRow = typeof erasures.$inferSelect;
type RetentionRunRow = typeof retentionRuns.$inferSelect;
type ClientRetentionRow = typeof clientRetention.$inferSelect;

/** The type of the event that decided a verification; null while it is open. Read from the index of the history. */
const DECIDED_BY = sql<string | null>`(
  select type from ${verificationEvents} where ${verificationEvents}.verification_id = ${verifications}.id
    and ${oneOf(verificationEvents.type, LATER_STATUS_EVENT_TYPES)} and ${oneOf(verificationEvents.type, DECIDING_EVENT_TYPES)}
  order by ${verificationEvents}.version desc limit 1
)`;

const EMPTY_DOCUMENT = sql<string>`'{}'`;
const NO_DATA_KEY = sql<null>`null`;

/** The columns of a verification in the order of the table, with constants in place of documents and data key. */
export const RETAINED = {
  ...getTableColumns(verifications),
  metadata: EMPTY_DOCUMENT,
  answers: EMPTY_DOCUMENT,
  reviewData: EMPTY_DOCUMENT,
  notify: sql<null>`null`,
  dataKeyWrappedBy: NO_DATA_KEY,
  dataKey: NO_DATA_KEY,
  decidedBy: DECIDED_BY,
} as const;

/** Parses a row of the columns in `RETAINED`. */
export function fromRetainedRow(columns: Columns): RetainedVerification {
  const {
    metadata: _,
    answers: __,
    reviewData: ___,
    notify: ____,
    dataKey: _____,
    ...verification
  } = fromVerificationRow(columns);
  const decidedBy = parseRow('verification', verification.id, () =>
    parseEnumOrNull('type of the event', DECIDING_EVENT_TYPES, columns.at(-1) as string | null),
  );
  return { ...verification, decidedBy };
}

export function toErasureRow({ at, finishedAt, ...same }: Erasure): ErasureRow {
  return { ...same, at: at.getTime(), finishedAt: finishedAt?.getTime() ?? null };
}

export function fromErasureRow(row: ErasureRow): Erasure {
  return parseRow('erasure', String(row.number), () => ({
    ...row,
    at: parseDate('at', row.at),
    rule: parseEnum('rule', ERASURE_RULES, row.rule),
    finishedAt: parseDateOrNull('finished_at', row.finishedAt),
  }));
}

/** The table has one row. */
export function toRetentionRunRow({ lastRunAt, pausedUntil }: StoredRetentionRun): RetentionRunRow {
  return { id: 1, lastRunAt: lastRunAt.getTime(), pausedUntil: pausedUntil?.getTime() ?? null };
}

export function fromRetentionRunRow({ id, lastRunAt, pausedUntil }: RetentionRunRow): StoredRetentionRun {
  return parseRow('retention run', String(id), () => ({
    lastRunAt: parseDate('last_run_at', lastRunAt),
    pausedUntil: parseDateOrNull('paused_until', pausedUntil),
  }));
}

export function policyText(policy: RetentionPolicy | null): string | null {
  return policy && JSON.stringify(policy);
}

/** Parses the row of a client; a client without one has no policy and was never planned. */
export function fromClientRetentionRow(clientId: string, row: ClientRetentionRow | null): ClientRetention {
  return parseRow('retention of the client', clientId, () => ({
    clientId,
    policy: policyOf(row?.policy ?? null),
    plannedBy: row?.plannedBy ?? null,
    plannedAfter: row?.plannedAfter ?? null,
  }));
}

function policyOf(text: string | null): RetentionPolicy | null {
  if (text === null) return null;
  const stored = parseJsonObject('policy', text);
  const periods = RETENTION_PERIODS.map((period) => {
    const duration = stored[period];
    if (typeof duration !== 'string') throw new Error(`policy has no ${period}`);
    return [period, duration] as const;
  });
  return Object.fromEntries(periods) as Record<RetentionPeriod, string>;
}

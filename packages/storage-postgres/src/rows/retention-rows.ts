import {
  ERASURE_RULES,
  type Erasure,
  RETENTION_PERIODS,
  type RetentionPolicy,
} from '@countersign/domain/retention';
import {
  type ClientRetention,
  DECIDING_EVENT_TYPES,
  parseEnum,
  parseEnumOrNull,
  parseRow,
  type RetainedVerification,
  type StoredRetentionRun,
} from '@countersign/domain/storage';
import type { Value } from '../connection/statement.ts';
import { getTableColumns } from '../drizzle.ts';
import { type erasures, type retentionRuns, verifications } from '../schema.ts';
import {
  momentText,
  momentTextOrNull,
  parseDate,
  parseDateOrNull,
  parseInteger,
  parseJsonObject,
  parseText,
  parseTextOrNull,
  type Row,
} from './parse-row.ts';
import { withoutDocuments } from './rows.ts';

/** Number of a verification's columns. In a row of retention, the type of the event that decided it follows. */
const VERIFICATION_COLUMNS = Object.keys(getTableColumns(verifications)).length;

/** Columns in the order of the schema, those of documents and of the data key unread, then the type of the deciding event. */
export function fromRetainedRow(row: Row): RetainedVerification {
  return parseRow('verification', row[1], () => ({
    ...withoutDocuments(row),
    decidedBy: parseEnumOrNull('type', DECIDING_EVENT_TYPES, row[VERIFICATION_COLUMNS]),
  }));
}

type ErasureColumns = { [K in keyof typeof erasures.$inferSelect]: Value };

export function toErasureRow({ at, hash, finishedAt, ...same }: Erasure): ErasureColumns {
  return { ...same, at: momentText(at), hash: `\\x${hash}`, finishedAt: momentTextOrNull(finishedAt) };
}

/** Columns in the order of the schema. */
export function fromErasureRow(row: Row): Erasure {
  return parseRow('erasure', row[1], () => ({
    clientId: parseText('client_id', row[0]),
    number: parseInteger('number', row[1]),
    verificationId: parseText('verification_id', row[2]),
    at: parseDate('at', row[3]),
    rule: parseEnum('rule', ERASURE_RULES, row[4]),
    steps: parseInteger('steps', row[5]),
    files: parseInteger('files', row[6]),
    events: parseInteger('events', row[7]),
    hash: parseText('hash', row[8]),
    finishedAt: parseDateOrNull('finished_at', row[9]),
  }));
}

/** Columns by their names; the table has one row. */
export function toRetentionRunRow({ lastRunAt, pausedUntil }: StoredRetentionRun): {
  [K in keyof typeof retentionRuns.$inferSelect]: Value;
} {
  return { id: 1, lastRunAt: momentText(lastRunAt), pausedUntil: momentTextOrNull(pausedUntil) };
}

/** Columns in the order of the schema. */
export function fromRetentionRunRow(row: Row): StoredRetentionRun {
  return parseRow('retention run', row[0], () => ({
    lastRunAt: parseDate('last_run_at', row[1]),
    pausedUntil: parseDateOrNull('paused_until', row[2]),
  }));
}

/** The id of the client, then the other columns in the order of the schema, which are null without a row. */
export function fromClientRetentionRow(row: Row): ClientRetention {
  return parseRow('retention of the client', row[0], () => ({
    clientId: parseText('client_id', row[0]),
    policy: row[1] === null ? null : policyOf(row[1]),
    plannedBy: parseTextOrNull('planned_by', row[2]),
    plannedAfter: parseTextOrNull('planned_after', row[3]),
  }));
}

function policyOf(value: unknown): RetentionPolicy {
  const stored = parseJsonObject('policy', value);
  const periods = RETENTION_PERIODS.map((period) => [period, parseText(`policy.${period}`, stored[period])]);
  return Object.fromEntries(periods) as RetentionPolicy;
}

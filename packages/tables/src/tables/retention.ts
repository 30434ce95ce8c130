import type { JsonObject } from '@countersign/domain';
import {
  ERASURE_RULES,
  type Erasure,
  RETENTION_PERIODS,
  type RetentionPolicy,
} from '@countersign/domain/retention';
import type { ClientRetention, StoredRetentionRun } from '@countersign/domain/storage';
import { table } from '../table.ts';

/**
 * Receipts of erasures. Their numbers are one sequence for all clients, which the erasure log shares. They have no foreign keys: the
 * erasure log may name verifications that a restored backup does not have.
 */
export const erasures = table<Erasure>()({
  name: 'erasures',
  called: 'erasure',
  key: ['number'],
  columns: {
    clientId: { kind: 'id' },
    number: { kind: 'integer' },
    verificationId: { kind: 'id' },
    at: { kind: 'moment' },
    rule: { kind: 'choice', of: ERASURE_RULES, checked: true },
    steps: { kind: 'integer' },
    files: { kind: 'integer' },
    events: { kind: 'integer' },
    hash: { kind: 'hash' },
    finishedAt: { kind: 'moment', nullable: true },
  },
  checks: { erasures_number_from_one: '{number} >= 1' },
});

/** The policy of a client, and the progress of planning its verifications by it. A client without either has no row. */
export const clientRetention = table<ClientRetention>()({
  name: 'client_retention',
  called: 'retention of the client',
  key: ['clientId'],
  columns: {
    clientId: { kind: 'id' },
    policy: { kind: 'document', nullable: true, parse: parsePolicy },
    plannedBy: { kind: 'text', nullable: true },
    plannedAfter: { kind: 'id', nullable: true },
  },
});

function parsePolicy(stored: JsonObject): RetentionPolicy {
  const periods = RETENTION_PERIODS.map((period) => {
    const duration = stored[period];
    if (typeof duration !== 'string') throw new Error(`policy has no ${period}`);
    return [period, duration];
  });
  return Object.fromEntries(periods) as RetentionPolicy;
}

/** The erasure log of this database: one row, or none before the first start. */
export const erasureLogs = table<{ readonly logId: string }>()({
  name: 'erasure_logs',
  called: 'erasure log',
  key: ['id'],
  columns: {
    id: { kind: 'integer', size: 'small', value: 1 },
    logId: { kind: 'text' },
  },
  checks: { erasure_logs_one_row: '{id} = 1' },
});

/** The last run of the retention job, and until when it erases nothing: one row, or none before the first. */
export const retentionRuns = table<StoredRetentionRun>()({
  name: 'retention_runs',
  called: 'retention run',
  key: ['id'],
  columns: {
    id: { kind: 'integer', size: 'small', value: 1 },
    lastRunAt: { kind: 'moment' },
    pausedUntil: { kind: 'moment', nullable: true },
  },
  checks: { retention_runs_one_row: '{id} = 1' },
});

import type { AuditEntry } from '@countersign/domain';
import type {
  AuditQuery,
  BrowseQuery,
  CountDifference,
  DueForExpiry,
  QueueQuery,
  ReviewActivity,
  ReviewActivityQuery,
  ReviewLoad,
  ReviewLoadQuery,
  VerificationQuery,
  VerificationRepository,
} from '@countersign/domain/storage';
import type { Checked, SqliteFacts } from '../file/reports.ts';
import type { RowPage } from './list-pages.ts';

/** The parameters and results of long reads, all plain data. */
export interface Kinds {
  readonly list: { readonly given: [clientId: string, query: VerificationQuery]; readonly found: RowPage };
  readonly browse: { readonly given: [clientId: string, query: BrowseQuery]; readonly found: RowPage };
  readonly queue: { readonly given: [query: QueueQuery]; readonly found: RowPage };
  readonly auditPage: { readonly given: [query: AuditQuery]; readonly found: readonly AuditEntry[] };
  readonly differingCounts: { readonly given: [clientId: string]; readonly found: readonly CountDifference[] };
  readonly reviewActivity: { readonly given: [query: ReviewActivityQuery]; readonly found: ReviewActivity };
  readonly reviewLoad: { readonly given: [query: ReviewLoadQuery]; readonly found: ReviewLoad };
  readonly dueForExpiry: {
    readonly given: [request: Parameters<VerificationRepository['dueForExpiry']>[0]];
    readonly found: readonly DueForExpiry[];
  };
  readonly countNotWrappedBy: { readonly given: [key: string]; readonly found: number };
  readonly facts: { readonly given: []; readonly found: SqliteFacts };
  /** Checks the whole file. */
  readonly integrity: { readonly given: []; readonly found: Checked };
  /** Moves the write-ahead log into the database, as far as no reader uses it. */
  readonly checkpoint: { readonly given: []; readonly found: undefined };
}

export type LongRead<Kind extends keyof Kinds> = (...given: Kinds[Kind]['given']) => Kinds[Kind]['found'];

/** Work on the file that can take long. Each runs in a transaction of its own. Rows of lists are not parsed yet. */
export type LongReads = { readonly [Kind in keyof Kinds]: LongRead<Kind> };

/** Runs a long read where it holds up neither requests nor commits. */
export type RunLongRead = <Kind extends keyof Kinds>(
  kind: Kind,
  ...given: Kinds[Kind]['given']
) => Promise<Kinds[Kind]['found']>;

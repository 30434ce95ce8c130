import { type Connection, connect } from '../connection/connection.ts';
import { factsOf } from '../file/facts.ts';
import { integrityOf } from '../file/integrity.ts';
import { createAuditPage } from './audit-log.ts';
import { createCountNotWrappedBy } from './data-key-repository.ts';
import { createListPages, type RowPage } from './list-pages.ts';
import type { Kinds, LongRead, LongReads, RunLongRead } from './long-read-kinds.ts';
import { createReviewActivity } from './review-activity.ts';
import { createReviewLoad } from './review-load.ts';
import { createBrowsePage } from './verification-browse.ts';
import { createCompareCounts } from './verification-counts.ts';
import { createDueForExpiry } from './verification-expiry.ts';
import { createQueuePage } from './verification-queue.ts';

/** Each prepares its statements. */
const KINDS: { readonly [Kind in keyof Kinds]: (connection: Connection) => LongRead<Kind> } = {
  list(connection) {
    const lists = createListPages({ connection });
    const read = connection.transaction(lists.readWithin);
    return (clientId, query) => read(clientId, query, Number.POSITIVE_INFINITY) as RowPage;
  },
  browse(connection) {
    const readWithin = createBrowsePage({ connection });
    const read = connection.transaction(readWithin);
    return (clientId, query) => read(clientId, query, Number.POSITIVE_INFINITY) as RowPage;
  },
  queue: (connection) => connection.transaction(createQueuePage({ connection })),
  auditPage: (connection) => createAuditPage({ connection }),
  differingCounts: (connection) => connection.transaction(createCompareCounts({ connection })),
  reviewActivity: (connection) => createReviewActivity({ connection }),
  reviewLoad: (connection) => connection.transaction(createReviewLoad({ connection })),
  dueForExpiry: (connection) => createDueForExpiry({ connection }),
  countNotWrappedBy: (connection) => createCountNotWrappedBy({ connection }),
  facts: (connection) => () => factsOf(connection),
  integrity: (connection) => () => integrityOf(connection),
  checkpoint: (connection) => () => checkpoint(connection.name),
};

/** SQLite syncs the database only after a copy that leaves nothing, and commits go on during a long one. */
const COPIES = 3;

function checkpoint(file: string): undefined {
  const connection = connect(file, { fileMustExist: true });
  try {
    connection.pragma('synchronous = FULL');
    for (let copy = 0; copy < COPIES; copy += 1) connection.pragma('wal_checkpoint(PASSIVE)');
  } finally {
    connection.close();
  }
}

/** Statements are prepared with the first read of a kind. */
export function createLongReads(connection: Connection): LongReads {
  const of = <Kind extends keyof Kinds>(kind: Kind): LongRead<Kind> => {
    let read: LongRead<Kind> | undefined;
    return (...given) => {
      read ??= KINDS[kind](connection);
      return read(...given);
    };
  };
  return {
    list: of('list'),
    browse: of('browse'),
    queue: of('queue'),
    auditPage: of('auditPage'),
    differingCounts: of('differingCounts'),
    reviewActivity: of('reviewActivity'),
    reviewLoad: of('reviewLoad'),
    dueForExpiry: of('dueForExpiry'),
    countNotWrappedBy: of('countNotWrappedBy'),
    facts: of('facts'),
    integrity: of('integrity'),
    checkpoint: of('checkpoint'),
  };
}

/** Runs long reads on this connection, for a storage without a thread. */
export function longReadsOn(connection: Connection): RunLongRead {
  const reads = createLongReads(connection);
  return async (kind, ...given) => reads[kind](...given);
}

import type { VerificationQuery } from '@countersign/domain';
import type { Connection } from '../connection/connection.ts';
import { drizzle } from '../drizzle.ts';
import { createListPages, type RowPage } from './list-pages.ts';

interface Kinds {
  readonly list: { readonly given: [clientId: string, query: VerificationQuery]; readonly found: RowPage };
}

/** Reads that can take long. Each runs in a transaction of its own and returns rows that are not parsed yet. */
export type LongReads = {
  readonly [Kind in keyof Kinds]: (...given: Kinds[Kind]['given']) => Kinds[Kind]['found'];
};

/** Runs a long read where it holds up neither requests nor commits. */
export type RunLongRead = <Kind extends keyof Kinds>(
  kind: Kind,
  ...given: Kinds[Kind]['given']
) => Promise<Kinds[Kind]['found']>;

export function createLongReads(connection: Connection): LongReads {
  const lists = createListPages({ connection, db: drizzle({ client: connection }) });
  const readList = connection.transaction(lists.readWithin);
  return {
    list: (clientId, query) => readList(clientId, query, Number.POSITIVE_INFINITY) as RowPage,
  };
}

/** Runs long reads on this connection, for a storage without a thread. */
export function longReadsOn(connection: Connection): RunLongRead {
  const reads = createLongReads(connection);
  return async (kind, ...given) => reads[kind](...given);
}

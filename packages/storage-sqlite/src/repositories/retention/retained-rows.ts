import {
  DECIDING_EVENT_TYPES,
  LATER_STATUS_EVENT_TYPES,
  parseEnumOrNull,
  parseRow,
  type RetainedVerification,
  withoutDocuments,
} from '@countersign/domain/storage';
import type { Columns } from '../../connection/compiled.ts';
import { getTableColumns, oneOf, sql } from '../../drizzle.ts';
import { fromVerificationRow } from '../../rows/rows.ts';
import { verificationEvents, verifications } from '../../schema.ts';

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
  warnings: sql<null>`null`,
  dataKeyWrappedBy: NO_DATA_KEY,
  dataKey: NO_DATA_KEY,
  decidedBy: DECIDED_BY,
} as const;

/** Parses a row of the columns in `RETAINED`. */
export function fromRetainedRow(columns: Columns): RetainedVerification {
  const verification = withoutDocuments(fromVerificationRow(columns));
  const decidedBy = parseRow('verification', verification.id, () =>
    parseEnumOrNull('type of the event', DECIDING_EVENT_TYPES, columns.at(-1) as string | null),
  );
  return { ...verification, decidedBy };
}

import {
  DECIDING_EVENT_TYPES,
  parseEnumOrNull,
  parseRow,
  type RetainedVerification,
} from '@countersign/domain/storage';
import { getTableColumns } from '../../drizzle.ts';
import type { Row } from '../../rows/parse-row.ts';
import { withoutDocuments } from '../../rows/rows.ts';
import { verifications } from '../../schema.ts';

/** Number of a verification's columns. In a row of retention, the type of the event that decided it follows. */
const VERIFICATION_COLUMNS = Object.keys(getTableColumns(verifications)).length;

/** Columns in the order of the schema, those of documents and of the data key unread, then the type of the deciding event. */
export function fromRetainedRow(row: Row): RetainedVerification {
  return parseRow('verification', row[1], () => ({
    ...withoutDocuments(row),
    decidedBy: parseEnumOrNull('type', DECIDING_EVENT_TYPES, row[VERIFICATION_COLUMNS]),
  }));
}

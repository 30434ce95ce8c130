import type { Erasure, RetentionReport } from '@countersign/domain/retention';
import { csvLine } from '../site/csv.ts';

/** The cells of a receipt, in their order. */
const COLUMNS = [
  'number',
  'verificationId',
  'at',
  'rule',
  'steps',
  'files',
  'events',
  'hash',
  'finishedAt',
] as const satisfies readonly (keyof Erasure)[];

/**
 * Writes the receipts of a report as CSV (RFC 4180) with a header, a line at a time. Times are ISO 8601 in UTC.
 *
 * @example
 * for await (const line of retentionReportCsv(report)) process.stdout.write(line);
 */
export async function* retentionReportCsv({ erasures }: RetentionReport): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const erasure of erasures()) yield csvLine(COLUMNS.map((column) => cellOf(erasure[column])));
}

function cellOf(value: Erasure[keyof Erasure]): string {
  if (value === null) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

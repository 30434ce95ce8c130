import type { VerificationSummary } from '@countersign/domain';
import { csvLine } from '../../site/csv.ts';
import { downloadStream } from '../../site/download-stream.ts';

/** The cells of a row, in their order. */
const COLUMNS = [
  'id',
  'type',
  'subjectReference',
  'status',
  'requestedAt',
  'submittedAt',
  'resolvedAt',
  'currentStep',
  'totalSteps',
] as const satisfies readonly (keyof VerificationSummary)[];

/** Rows in one chunk: large enough to be worth sending, small enough that a slow reader holds little memory. */
const ROWS_PER_CHUNK = 100;

/**
 * Writes the rows as CSV in UTF-8, with a header. Rows are read only when the reader pulls, and reading stops when the
 * reader leaves. If reading fails, the stream fails.
 *
 * @param onFault gets the fault; the reader of the stream gets a general error
 */
export function exportStream(
  rows: AsyncIterable<VerificationSummary>,
  onFault: (fault: unknown) => void,
): ReadableStream<Uint8Array> {
  return downloadStream(csvChunks(rows), onFault);
}

async function* csvChunks(rows: AsyncIterable<VerificationSummary>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = csvLine(COLUMNS);
  let count = 0;
  for await (const row of rows) {
    text += csvLine(COLUMNS.map((column) => cellOf(row[column])));
    count += 1;
    if (count % ROWS_PER_CHUNK !== 0) continue;
    yield encoder.encode(text);
    text = '';
  }
  if (text !== '') yield encoder.encode(text);
}

function cellOf(value: VerificationSummary[keyof VerificationSummary]): string {
  if (value === null) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

import { setImmediate as othersTurn } from 'node:timers/promises';
import type { BrowsedVerification } from '@countersign/domain';

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
] as const satisfies readonly (keyof BrowsedVerification)[];

/** Rows in one chunk: enough that a chunk is worth sending, few enough that a slow reader holds up little. */
const ROWS_PER_CHUNK = 100;

/**
 * The rows as CSV in UTF-8, with a line of column names. Nothing is read before it is taken, and reading stops when
 * nobody takes it any more. Where the reading fails, the stream fails: it does not end as if it were whole.
 *
 * @param onFault is told of what went wrong; whoever reads the stream is told only that something did
 */
export function exportStream(
  rows: AsyncIterable<BrowsedVerification>,
  onFault: (fault: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = rows[Symbol.asyncIterator]();
  let text = csvLine(COLUMNS);
  let isCancelled = false;

  async function nextChunk(): Promise<{ text: string; done: boolean }> {
    for (let count = 0; count < ROWS_PER_CHUNK; count += 1) {
      const next = await iterator.next();
      if (next.done === true) return { text, done: true };
      text += csvLine(COLUMNS.map((column) => cellOf(next.value[column])));
    }
    return { text, done: false };
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await nextChunk();
          // Where rows are read and taken at once, as from SQLite by a fast reader, nobody else would be answered before the end.
          await othersTurn();
          // Whoever read it has gone while the rows were looked for: that is no fault, and the stream takes no more.
          if (isCancelled) return;
          text = '';
          if (chunk.text !== '') controller.enqueue(encoder.encode(chunk.text));
          if (chunk.done) controller.close();
        } catch (fault) {
          onFault(fault);
          controller.error(new Error('The export broke off'));
        }
      },
      async cancel() {
        isCancelled = true;
        await iterator.return?.();
      },
    },
    // Nothing is made ready in advance.
    { highWaterMark: 0 },
  );
}

function cellOf(value: BrowsedVerification[keyof BrowsedVerification]): string {
  if (value === null) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Writes a line of CSV (RFC 4180): quotes cells that need it, and ends with CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const plain = STARTS_FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/**
 * Characters that begin a formula in spreadsheets, which could read other cells and send them away (OWASP, CSV
 * injection): full-width forms too, and line feeds, which some spreadsheets drop first.
 */
const STARTS_FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NEEDS_QUOTES = /[",\r\n]/;

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

/** Rows in one chunk: large enough to be worth sending, small enough that a slow reader holds little memory. */
const ROWS_PER_CHUNK = 100;

/**
 * Writes the rows as CSV in UTF-8, with a header. Rows are read only when the reader pulls, and reading stops when the
 * reader leaves. If reading fails, the stream fails, so that no reader takes a part for the whole.
 *
 * @param onFault gets the fault; the reader of the stream gets a general error
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
          // A fast reader of SQLite would otherwise block every other request until the end.
          await othersTurn();
          // The reader left while rows were read. That is not a fault, and the stream takes no more.
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
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}

function cellOf(value: BrowsedVerification[keyof BrowsedVerification]): string {
  if (value === null) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Writes a line of CSV (RFC 4180): quotes cells that need it, and ends with CRLF. No spreadsheet reads a formula in it. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const plain = text.replace(BEFORE_FORMULA, "'");
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/**
 * The places before a character that begins a formula in spreadsheets, which could read other cells and send them away
 * (OWASP, CSV injection). Full-width forms count, and spaces and quotes before it, which some spreadsheets drop. A cell
 * begins at the start, and at any separator or line break within: a spreadsheet that splits at `;`, as the German one does,
 * or at tabs sees no quotes around a text in the middle of a line.
 */
const BEFORE_FORMULA = /^(?=[\t\r\n])|(?<=^|[,;|\t\r\n])(?=[\s"']*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const NEEDS_QUOTES = /[",\r\n]/;

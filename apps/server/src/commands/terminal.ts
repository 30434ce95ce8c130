/** Formats rows as columns for a terminal, two spaces apart. Without rows, returns `empty`. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return empty;
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Shows how far long work is. */
export interface ProgressLine<P> {
  show(progress: P): void;
  /** Leaves the terminal's line. */
  end(): void;
}

/** Milliseconds between two lines. */
const TERMINAL_MS = 100;
const FILE_MS = 2_000;

/** Shows progress in one line of a terminal that is overwritten, or in a line every two seconds elsewhere. */
export function createProgressLine<P extends { readonly done: number; readonly total: number }>(
  write: (text: string) => void,
  options: { textOf(progress: P): string; isTerminal: boolean; now?: (() => number) | undefined },
): ProgressLine<P> {
  const { textOf, isTerminal, now = () => performance.now() } = options;
  const every = isTerminal ? TERMINAL_MS : FILE_MS;
  let last = Number.NEGATIVE_INFINITY;
  let shown = '';
  return {
    show(progress) {
      const isComplete = progress.done === progress.total;
      if (!isComplete && now() - last < every) return;
      last = now();
      const line = textOf(progress);
      // The line before may have been longer.
      write(isTerminal ? `\r${line.padEnd(shown.length)}` : `${line}\n`);
      shown = line;
    },
    end() {
      if (isTerminal && shown !== '') write('\n');
    },
  };
}

/** How far something is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Tells people how far something is: on a terminal in one line that is written over, else in a line now and then. */
export function createProgressLine<P extends Progress>(
  write: (text: string) => void,
  options: { textOf(progress: P): string; isTerminal: boolean; now?: (() => number) | undefined },
): { tell(progress: P): void; end(): void } {
  const { textOf, isTerminal, now = () => performance.now() } = options;
  const every = isTerminal ? TERMINAL_MS : LINE_MS;
  let last = Number.NEGATIVE_INFINITY;
  let stands = '';
  return {
    tell(progress) {
      const isOver = progress.done === progress.total;
      if (!isOver && now() - last < every) return;
      last = now();
      const line = textOf(progress);
      // What stood there may have been longer.
      write(isTerminal ? `\r${line.padEnd(stands.length)}` : `${line}\n`);
      stands = line;
    },
    /** Leaves the terminal's line. */
    end() {
      if (isTerminal && stands !== '') write('\n');
    },
  };
}

const TERMINAL_MS = 100;
const LINE_MS = 2_000;

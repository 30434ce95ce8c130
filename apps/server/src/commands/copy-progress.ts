import type { CopyProgress } from '@countersign/domain';

/** Tells people how far a copy is: on a terminal in one line that is written over, else in a line now and then. */
export function createCopyProgress(
  write: (text: string) => void,
  { isTerminal, now = () => performance.now() }: { isTerminal: boolean; now?: () => number },
): { tell(progress: CopyProgress): void; end(): void } {
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

const DOING = { check: 'looking at', copy: 'copying', verify: 'comparing' } as const;

function textOf({ phase, kind, done, total }: CopyProgress): string {
  return `${DOING[phase]} ${kind}: ${done} of ${total}`;
}

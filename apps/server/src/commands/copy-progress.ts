import type { CopyProgress } from '@countersign/domain';
import { createProgressLine } from './progress-line.ts';

/** Tells people how far a copy is. */
export function createCopyProgress(
  write: (text: string) => void,
  options: { isTerminal: boolean; now?: () => number },
): { tell(progress: CopyProgress): void; end(): void } {
  return createProgressLine(write, { ...options, textOf });
}

const DOING = { check: 'looking at', copy: 'copying', verify: 'comparing' } as const;

function textOf({ phase, kind, done, total }: CopyProgress): string {
  return `${DOING[phase]} ${kind}: ${done} of ${total}`;
}

import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/**
 * Deadline for decoding, against files made to decode for minutes. It counts processor time of the decoder, so that a busy
 * machine does not refuse good pictures. The slowest picture within the limits takes a third of it.
 */
export const DECODE_DEADLINE_MS = 10_000;
/** How many times as long a decoder may exist at most. */
const WAIT_FACTOR = 6;

const CHECK_EVERY_MS = 50;
/** Linux gives processor times in hundredths of a second (proc(5)). */
const TICK_MS = 10;
const HAS_TIMES = existsSync('/proc/self/stat');

/**
 * Kills a decoder at its deadline. On systems without `/proc`, time on the clock counts as processor time.
 * @returns a function that gives the decoder's processor time at the last check, in milliseconds
 */
export function killAtDeadline(child: ChildProcess, deadlineMs: number): () => number {
  const begun = performance.now();
  let used = 0;
  const timer = setInterval(() => {
    const elapsed = performance.now() - begun;
    used = HAS_TIMES ? (processorMilliseconds(child.pid) ?? used) : elapsed;
    if (used >= deadlineMs || elapsed >= deadlineMs * WAIT_FACTOR) child.kill('SIGKILL');
  }, CHECK_EVERY_MS);
  child.once('close', () => clearInterval(timer));
  return () => used;
}

/** Returns the processor time of a process, or null if it has ended. */
function processorMilliseconds(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain any character. User and system time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}

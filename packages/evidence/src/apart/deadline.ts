import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const CHECK_EVERY_MS = 50;
/** Linux gives processor times in hundredths of a second (proc(5)). */
const TICK_MS = 10;
/** The time that a process waits for a processor is in nanoseconds. */
const WAIT_MS = 1e-6;
const HAS_TIMES = existsSync('/proc/self/stat');

/** How long a process may work, in milliseconds. */
export interface Deadline {
  /** Processor time from now on, so that a busy machine does not refuse good files. */
  readonly processorMs: number;
  /** Time on the clock from now on. */
  readonly clockMs: number;
  /** How much of the time in which the process only waits for a processor is not counted, where the system tells it. Default: none. */
  readonly waitingMs?: number;
}

/** A deadline that runs. */
export interface RunningDeadline {
  /** Returns the processor time of the process since the deadline began, at the last check, in milliseconds. */
  usedMs(): number;
  /** Ends the deadline: the process lives on. */
  end(): void;
}

/** Kills a process at its deadline. On systems without `/proc`, time on the clock counts as processor time. */
export function killAtDeadline(
  child: ChildProcess,
  { processorMs, clockMs, waitingMs = 0 }: Deadline,
): RunningDeadline {
  const begun = performance.now();
  const waitedBefore = waitedMilliseconds(child.pid);
  const usedBefore = HAS_TIMES ? (processorMilliseconds(child.pid) ?? 0) : 0;
  let used = 0;
  const timer = setInterval(() => {
    const elapsed = performance.now() - begun;
    const total = HAS_TIMES ? processorMilliseconds(child.pid) : elapsed;
    if (total !== null) used = total - usedBefore;
    const waited = Math.min(waitedMilliseconds(child.pid) - waitedBefore, waitingMs);
    if (used >= processorMs || elapsed - waited >= clockMs) child.kill('SIGKILL');
  }, CHECK_EVERY_MS);
  const end = () => clearInterval(timer);
  child.once('close', end);
  return {
    usedMs: () => used,
    end() {
      child.off('close', end);
      end();
    },
  };
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

/** Returns how long the threads of a process have waited for a processor, added up; 0 if it has ended, and on systems that do not tell. */
function waitedMilliseconds(pid: number | undefined): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => {
      const [, waited = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(waited) * WAIT_MS;
    }, 0);
  } catch {
    return 0;
  }
}

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

/** What a process has used since its deadline began, in milliseconds. */
export interface ProcessUse {
  readonly processorMs: number;
  readonly clockMs: number;
  /** Time in which its threads only waited for a processor, added up. */
  readonly waitedMs: number;
}

/**
 * Whether a process has reached its deadline.
 * @example isPastDeadline({ processorMs: 10_000, clockMs: 60_000 }, { processorMs: 1_500, clockMs: 60_000, waitedMs: 0 }); // true: it hangs
 */
export function isPastDeadline({ processorMs, clockMs, waitingMs = 0 }: Deadline, use: ProcessUse): boolean {
  return use.processorMs >= processorMs || use.clockMs - Math.min(use.waitedMs, waitingMs) >= clockMs;
}

/** A deadline that runs. */
export interface RunningDeadline {
  /** Returns the processor time of the process since the deadline began, at the last check, in milliseconds. */
  usedMs(): number;
  /** Ends the deadline: the process lives on. */
  end(): void;
}

/** Kills a process at its deadline. On systems without `/proc`, time on the clock counts as processor time. */
export function killAtDeadline(child: ChildProcess, deadline: Deadline): RunningDeadline {
  const begun = performance.now();
  const waitedMs = createWaitMeter(child.pid);
  const usedBefore = HAS_TIMES ? (processorMilliseconds(child.pid) ?? 0) : 0;
  let used = 0;
  const timer = setInterval(() => {
    const clockMs = performance.now() - begun;
    const total = HAS_TIMES ? processorMilliseconds(child.pid) : clockMs;
    if (total !== null) used = total - usedBefore;
    if (isPastDeadline(deadline, { processorMs: used, clockMs, waitedMs: waitedMs() })) child.kill('SIGKILL');
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

/** Tells how long the threads of a process have waited for a processor since the meter was made. */
type WaitMeter = () => number;

/** Makes a meter that keeps what ended threads have waited. It stays at 0 on systems that do not tell. */
function createWaitMeter(pid: number | undefined): WaitMeter {
  const waited = new Map<string, number>();
  const read = () => {
    for (const thread of threadsOf(pid)) {
      const milliseconds = waitedMilliseconds(pid, thread);
      if (milliseconds !== null) waited.set(thread, milliseconds);
    }
    return [...waited.values()].reduce((sum, milliseconds) => sum + milliseconds, 0);
  };
  const before = read();
  return () => read() - before;
}

function threadsOf(pid: number | undefined): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Returns how long a thread has waited for a processor, or null if it has ended. */
function waitedMilliseconds(pid: number | undefined, thread: string): number | null {
  try {
    const [, waited = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return Number(waited) * WAIT_MS;
  } catch {
    return null;
  }
}

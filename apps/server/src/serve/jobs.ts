import type { Clock, Countersign, ExpireVerifications } from '@countersign/domain';
import type { TidyEvidence } from '@countersign/domain/evidence';
import type { ReadPause, RetentionJob, RetentionRunResult } from '@countersign/domain/retention';
import type { ReplacedStatistics } from '@countersign/storage-postgres';
import type { Log } from '../logging/log.ts';

const HOUR_MS = 60 * 60 * 1_000;
const MINUTE_MS = 60 * 1_000;
const SECOND_MS = 1_000;
const FAULT_PAUSE_MS = 30 * SECOND_MS;

/** A background job of the server. */
export interface Job {
  /** As metrics name it. */
  readonly name: string;
  readonly run: () => Promise<unknown>;
  readonly interval: Interval;
  /** Ends a run in progress early, when the server stops. Without it, the server waits for the run. */
  readonly stop?: () => void;
}

/** A run of a background job that has ended. */
export interface JobRun {
  readonly job: string;
  readonly ok: boolean;
  readonly durationMs: number;
}

/** The parts of the core that have background jobs. */
type CoreWithJobs = Pick<Countersign, 'evidence' | 'expiry' | 'retention' | 'sandbox' | 'summariseRefusals'>;

/** Receives what the jobs did, for metrics. */
export interface JobFigures {
  /** Counts verifications that just expired. */
  expired(count: number): void;
  /** Counts verifications that were just erased, and keeps the state of erasure. */
  erased(run: RetentionRunResult): void;
  /** Keeps how many erasures of the database the erasure log lacks. */
  missingInLog(count: number): void;
}

const NO_FIGURES: JobFigures = {
  expired: () => undefined,
  erased: () => undefined,
  missingInLog: () => undefined,
};

/** Lists the background jobs of every server. */
export function serverJobs(
  { evidence, expiry, retention, sandbox, summariseRefusals }: CoreWithJobs,
  log: Pick<Log, 'event' | 'warning'>,
  figures: JobFigures = NO_FIGURES,
): Job[] {
  return [
    { name: 'tidy_evidence', run: () => tidyEvidence(evidence, log), interval: { everyMs: HOUR_MS } },
    { name: 'summarise_refusals', run: summariseRefusals, interval: { everyMs: MINUTE_MS } },
    {
      name: 'drive_sandbox',
      run: () => sandbox.drive(),
      interval: { everyMs: SECOND_MS, afterFaultMs: FAULT_PAUSE_MS },
    },
    expiryJob(expiry, log, figures.expired),
    erasureJob(retention, log, figures.erased),
    // The job above rests for ten minutes once nothing is due: an alert must not wait so long.
    {
      name: 'check_erasure_log',
      run: async () => figures.missingInLog(await retention.countMissingInLog()),
      interval: { everyMs: MINUTE_MS / 2 },
    },
  ];
}

/**
 * Makes the job that deletes copies of data which migrations and restores left. While the clock may have jumped it deletes none: a young
 * copy would seem old.
 * @param parts.deleteCopies deletes those that are old at a time, and returns how many
 */
export function oldCopiesJob(
  parts: { deleteCopies(now: Date): Promise<number>; readPause: ReadPause; clock: Clock },
  log: Pick<Log, 'event'>,
): Job {
  const { deleteCopies, readPause, clock } = parts;
  async function run(): Promise<void> {
    const now = clock.now();
    if ((await readPause(now)) !== null) return;
    const count = await deleteCopies(now);
    if (count > 0) log.event('deleted old copies of data', { count });
  }
  return { name: 'delete_old_copies', run, interval: { everyMs: HOUR_MS } };
}

/** Makes the job that replaces statistics of the database which may contain erased values. It fails while the database keeps some. */
export function erasedStatisticsJob(
  replace: () => Promise<ReplacedStatistics>,
  log: Pick<Log, 'event' | 'warning'>,
): Job {
  async function run(): Promise<void> {
    const { replaced, kept } = await replace();
    if (replaced.length > 0) {
      log.event('replaced statistics of tables with erased data', { count: replaced.length });
    }
    if (kept.length === 0) return;
    const reason = `PostgreSQL kept those of ${kept.join(', ')}`;
    log.warning('statistics of tables with erased data were not replaced: run doctor', { reason });
    throw new Error('Statistics with erased data were not replaced');
  }
  return { name: 'replace_erased_statistics', run, interval: { everyMs: HOUR_MS } };
}

/** Makes the job that expires verifications. */
export function expiryJob(
  { expire }: ExpireVerifications,
  log: Pick<Log, 'event'>,
  onExpired: (count: number) => void,
  now?: () => number,
): Job {
  async function slice(): Promise<Slice> {
    const { expired, isDone } = await expire();
    onExpired(expired);
    return { count: expired, isDone };
  }
  const onEnd = (count: number) => log.event('expired verifications', { count });
  return slicedJob({ name: 'expire_verifications', slice, onEnd }, now);
}

/** Makes the job that erases the data of verifications. */
export function erasureJob(
  retention: Pick<RetentionJob, 'run'>,
  log: Pick<Log, 'event' | 'warning'>,
  onRun: (run: RetentionRunResult) => void,
  now?: () => number,
): Job {
  const warn = createErasureWarnings(log);

  async function slice(): Promise<Slice> {
    const run = await retention.run();
    onRun(run);
    warn(run);
    return { count: run.erased, isDone: run.isDone };
  }
  const onEnd = (count: number) => log.event('erased verifications', { count });
  return slicedJob({ name: 'erase_data', slice, onEnd }, now);
}

/** Makes a function that warns once of each pause, of each number of entries that the erasure log lacks, and of each unexpected entry. */
function createErasureWarnings({ warning }: Pick<Log, 'warning'>): (run: RetentionRunResult) => void {
  let last = { until: '', missingInLog: 0 };
  const warned = new Set<number>();
  return ({ pausedUntil, missingInLog, unexpectedInLog }) => {
    const until = pausedUntil?.toISOString() ?? '';
    if (until !== '' && until !== last.until) {
      warning('the clock may have jumped: nothing is erased by the rules for a day', { until });
    }
    if (missingInLog > 0 && missingInLog !== last.missingInLog) {
      warning('the erasure log lacks erasures of the database', { count: missingInLog });
    }
    for (const { number, verificationId } of unexpectedInLog.filter((entry) => !warned.has(entry.number))) {
      warned.add(number);
      warning('left an unexpected entry of the erasure log alone: the erasure never began in this database', {
        number,
        verificationId,
      });
    }
    last = { until, missingInLog };
  };
}

/** What one slice of a job did, and whether nothing is left to do. */
interface Slice {
  readonly count: number;
  readonly isDone: boolean;
}

/** Pause after a slice that left nothing to do. */
const IDLE_PAUSE_MS = 10 * MINUTE_MS;

/**
 * Makes a job that works in slices: one each second while something is due, so that requests are answered as usual and a
 * stopping server waits for one slice only. `onEnd` receives the sum of their counts, unless it is 0.
 */
function slicedJob(
  { name, slice, onEnd }: { readonly name: string; slice(): Promise<Slice>; onEnd(count: number): void },
  now: () => number = () => performance.now(),
): Job {
  let notBefore = Number.NEGATIVE_INFINITY;
  let total = 0;

  async function run(): Promise<void> {
    if (now() < notBefore) return;
    const { count, isDone } = await slice();
    total += count;
    if (!isDone) return;
    notBefore = now() + IDLE_PAUSE_MS;
    if (total > 0) onEnd(total);
    total = 0;
  }

  return { name, run, interval: { everyMs: SECOND_MS, afterFaultMs: FAULT_PAUSE_MS } };
}

/**
 * Starts background jobs, one in each turn of the event loop. Started together, they would delay the first requests.
 * @param onRun gets each run that has ended
 * @returns stops them, and waits for the runs in progress, of which those that can end early do
 */
export function startJobs(
  jobs: readonly Job[],
  log: Pick<Log, 'fault'>,
  onRun: (run: JobRun) => void = () => undefined,
): () => Promise<void> {
  const stops: (() => Promise<void>)[] = [];
  let next: NodeJS.Immediate | undefined;

  function startFirst([job, ...others]: readonly Job[]): void {
    if (job === undefined) return;
    stops.push(every(() => timed(job.name, job.run, onRun), log.fault, job.interval));
    next = setImmediate(startFirst, others);
  }

  startFirst(jobs);
  return async () => {
    clearImmediate(next);
    for (const { stop } of jobs) stop?.();
    await Promise.all(stops.map((stop) => stop()));
  };
}

async function timed(job: string, run: () => Promise<unknown>, onRun: (run: JobRun) => void): Promise<void> {
  const startedAt = performance.now();
  let ok = false;
  try {
    await run();
    ok = true;
  } finally {
    onRun({ job, ok, durationMs: performance.now() - startedAt });
  }
}

/** Deletes files that belong to no verification. Warns of files that seem to belong to another database. */
export async function tidyEvidence(evidence: TidyEvidence, log: Pick<Log, 'event' | 'warning'>): Promise<void> {
  const { deleted, foreign } = await evidence.tidy();
  if (deleted > 0) log.event('deleted orphaned files', { count: deleted });
  if (foreign > 0) log.warning('kept files of verifications that are not in this database', { count: foreign });
}

/** Interval of a background job, in milliseconds. */
export interface Interval {
  readonly everyMs: number;
  /** How long the job pauses after a fault. Default `everyMs`. */
  readonly afterFaultMs?: number | undefined;
}

/**
 * Runs a job now and at an interval, one run at a time. Reports a fault and tries again.
 * @returns stops the job, and waits for the run in progress
 */
export function every(
  work: () => Promise<unknown>,
  onFault: (fault: unknown) => void,
  { everyMs, afterFaultMs = everyMs }: Interval,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  let pausedUntil = 0;

  function start(): void {
    if (running !== undefined || performance.now() < pausedUntil) return;
    running = work()
      .then(
        () => undefined,
        (fault: unknown) => {
          pausedUntil = performance.now() + afterFaultMs - everyMs / 2;
          onFault(fault);
        },
      )
      .finally(() => {
        running = undefined;
      });
  }

  start();
  const timer = setInterval(start, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

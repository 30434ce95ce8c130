import type { Job, JobFigures, JobRun } from '../serve/jobs.ts';
import type { Metrics } from './metrics.ts';

/**
 * Starts the metrics of background jobs, at 0: Prometheus sees no increase in a counter that begins with 1.
 * @returns counts a run
 */
export function countJobs(
  { begin }: Pick<Metrics, 'begin'>,
  jobs: readonly Pick<Job, 'name'>[],
): (run: JobRun) => void {
  const { runs, duration, lastSuccess } = begin('jobs');
  for (const { name: job } of jobs) for (const outcome of ['ok', 'failed'] as const) runs.inc({ job, outcome }, 0);
  return ({ job, ok, durationMs }) => {
    runs.inc({ job, outcome: ok ? 'ok' : 'failed' });
    duration.set({ job }, durationMs / 1_000);
    if (ok) lastSuccess.setToCurrentTime({ job });
  };
}

/** Counts what the jobs expired and erased, and keeps what they found in the erasure log. */
export function countErasures(metrics: Metrics): JobFigures {
  return {
    expired: (count) => metrics.expired.inc(count),
    erased({ erased, pausedUntil, unexpectedInLog }) {
      metrics.erased.inc(erased);
      metrics.erasuresPaused.set(pausedUntil === null ? 0 : 1);
      metrics.unexpectedInErasureLog.set(unexpectedInLog.length);
    },
    missingInLog: (count) => metrics.missingInErasureLog.set(count),
  };
}

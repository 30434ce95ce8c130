import { monitorEventLoopDelay } from 'node:perf_hooks';

const ownDelay = monitorEventLoopDelay();
ownDelay.enable();

/** A measurement of a server's process. */
export interface HealthSample {
  /** Seconds since the first measurement. */
  readonly at: number;
  readonly residentMb: number;
  readonly heapMb: number;
  /** Sockets, timers and other resources that Node keeps. */
  readonly resources: number;
  readonly openFiles: number;
  /** The 99th percentile of the event loop's delay since the last measurement. */
  readonly delayMs: number;
  /** The same delay in the test's own process: how busy the machine is. */
  readonly ownDelayMs: number;
}

/** Reads a process's metrics from its `/metrics` address. */
export async function readHealth(metricsPort: number, startedAt: number): Promise<HealthSample> {
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers: { Connection: 'close' } });
  const text = await response.text();
  const value = (name: string) => {
    const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`the server has no metric ${name}`);
    return Number(found);
  };
  const ownDelayMs = ownDelay.percentile(99) / 1e6;
  ownDelay.reset();
  return {
    at: (performance.now() - startedAt) / 1000,
    residentMb: value('process_resident_memory_bytes') / 1e6,
    heapMb: value('nodejs_heap_size_used_bytes') / 1e6,
    resources: value('nodejs_active_resources_total'),
    openFiles: value('process_open_fds'),
    delayMs: value('nodejs_eventloop_lag_p99_seconds') * 1000,
    ownDelayMs,
  };
}

/** Compares the middle third of a series with the last: the first third is the time to warm up. */
export function growthOf(
  samples: readonly HealthSample[],
  of: (sample: HealthSample) => number,
): { from: number; to: number } {
  const third = Math.floor(samples.length / 3);
  const values = samples.map(of);
  return { from: medianOf(values.slice(third, 2 * third)), to: medianOf(values.slice(-third)) };
}

/** One line for each of about `lines` measurements. */
export function seriesOf(samples: readonly HealthSample[], lines = 12): string {
  const every = Math.max(1, Math.ceil(samples.length / lines));
  const rows = samples
    .filter((_, index) => index % every === 0 || index === samples.length - 1)
    .map(({ at, ...values }) =>
      [at, ...Object.values(values)].map((value) => value.toFixed(0).padStart(9)).join(' '),
    );
  const titles = ['seconds', 'memory MB', 'heap MB', 'resources', 'files', 'delay ms', 'own delay'];
  return [titles.map((title) => title.padStart(9)).join(' '), ...rows].join('\n');
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

import type { Accounts } from '@countersign/domain/staff';
import { createMemoryStorage } from '@countersign/memory';
import { expect, test, vi } from 'vitest';
import { createLog, type Log } from '../logging/log.ts';
import { startJobs } from '../serve/jobs.ts';
import { backlogReadings } from './backlog-metrics.ts';
import { countErasures, countJobs } from './count-jobs.ts';
import { countSignIns } from './count-sign-ins.ts';
import { createCountingLog } from './counting-log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createFigures, type FiguresSource, readFiguresJob } from './read-figures.ts';
import { beginServiceMetrics, type LiveFigures, type SlowFigures } from './service-metrics.ts';

const LIVE: LiveFigures = {
  version: '1.2.3',
  secrets: 2,
  missingSecrets: () => 1,
  decoder: () => ({ waiting: 3, running: 1, killed: 4 }),
  storage: {
    poolStats: () => ({ connections: 5, connectionsMax: 10, queriesWaiting: 6 }),
    creationsWaiting: () => 12,
    isSound: () => false,
  },
};

const FIGURES: SlowFigures = {
  verifications: { pending: 7, submitted: 8, action_needed: 0, approved: 9, rejected: 1 },
  oldestSubmittedAt: new Date(Date.now() - 90_000),
  overdue: 4,
  overdueSince: new Date(Date.now() - 60_000),
  databaseBytes: 4096,
  unclearedSince: null,
  unfinishedErasures: 3,
  pausedEndpoints: 2,
  disks: [{ folder: 'data', freeBytes: 10, sizeBytes: 20 }],
};

const ENTRY = { number: 7, clientId: 'client-1', verificationId: 'verification-1', at: new Date(0) };

/** A silent log whose requests are counted. */
function givenLog(metrics: Metrics): Log {
  return createCountingLog(createLog({ level: 'silent', output: { write: () => undefined } }), metrics);
}

/** Metrics of a server on Postgres after some use, so that each has a value. */
function givenUsedMetrics(): Metrics {
  const metrics = createMetrics();
  metrics.begin('sharedRateLimits').isUp.set(1);
  beginServiceMetrics(metrics, LIVE).publish(FIGURES);
  const source = { read: async () => ({ waiting: 0, oldestAt: null }), onFault: () => undefined };
  metrics.begin('webhooks', backlogReadings(source));
  metrics.begin('mails', backlogReadings(source));
  const countRun = countJobs(metrics, [{ name: 'tidy_evidence' }, { name: 'erase_data' }]);
  countRun({ job: 'tidy_evidence', ok: true, durationMs: 1_500 });
  countRun({ job: 'tidy_evidence', ok: false, durationMs: 500 });
  metrics.signInFailures.inc({ reason: 'password' });
  const erasures = countErasures(metrics);
  erasures.expired(50);
  erasures.missingInLog(2);
  erasures.erased({ erased: 30, isDone: false, pausedUntil: null, missingInLog: 2, unexpectedInLog: [ENTRY] });
  metrics.secretUses.inc({ secret: 'older' });
  givenLog(metrics).request({
    requestId: 'r',
    method: 'GET',
    path: '*',
    status: 404,
    durationMs: 1,
    code: 'NOT_FOUND',
  });
  return metrics;
}

test('metrics: print the figures of the service', async () => {
  const text = await givenUsedMetrics().text();
  for (const line of [
    `countersign_build_info{version="1.2.3",node="${process.versions.node}"} 1`,
    'countersign_verifications{status="pending"} 7',
    'countersign_verifications{status="action_needed"} 0',
    'countersign_verifications_overdue 4',
    'countersign_database_bytes 4096',
    'countersign_database_damaged 1',
    'countersign_erased_space_uncleared_seconds 0',
    'countersign_database_queries_waiting 6',
    'countersign_creations_waiting 12',
    'countersign_disk_free_bytes{folder="data"} 10',
    'countersign_decoder_waiting 3',
    'countersign_decoder_kills_total 4',
    'countersign_secrets 2',
    'countersign_secrets_missing 1',
    'countersign_secret_uses_total{secret="older"} 1',
    'countersign_secret_uses_total{secret="newest"} 0',
    'countersign_job_runs_total{job="erase_data",outcome="failed"} 0',
    'countersign_verifications_expired_total 50',
    'countersign_verifications_erased_total 30',
    'countersign_erasures_paused 0',
    'countersign_erasure_log_missing_entries 2',
    'countersign_erasure_log_unexpected_entries 1',
    'countersign_erasures_unfinished 3',
    'countersign_refusals_total{code="NOT_FOUND"} 1',
    'countersign_sign_in_failures_total{reason="password"} 1',
    'countersign_sign_in_failures_total{reason="throttled"} 0',
    'countersign_job_runs_total{job="tidy_evidence",outcome="ok"} 1',
    'countersign_job_runs_total{job="tidy_evidence",outcome="failed"} 1',
    'countersign_job_duration_seconds{job="tidy_evidence"} 0.5',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
  const [, seconds] = /^countersign_oldest_waiting_seconds (\d+)/m.exec(text) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(90);
  const [, overdue] = /^countersign_longest_overdue_seconds (\d+)/m.exec(text) ?? [];
  expect(Number(overdue)).toBeGreaterThanOrEqual(60);
  expect(Number(overdue)).toBeLessThan(90);
});

test('metrics: before the first reading, slow figures are absent rather than 0', async () => {
  const metrics = createMetrics();
  beginServiceMetrics(metrics, { ...LIVE, storage: {} });
  const text = await metrics.text();
  expect(text).not.toMatch(/countersign_(?:verifications\b|oldest|database|disk|figures)/);
});

test('metrics: the longest wait is 0 seconds if no verification waits, and none is overdue', async () => {
  const metrics = createMetrics();
  beginServiceMetrics(metrics, LIVE).publish({ ...FIGURES, oldestSubmittedAt: null, overdueSince: null });
  const text = await metrics.text();
  expect(text).toContain('countersign_oldest_waiting_seconds 0\n');
  expect(text).toContain('countersign_longest_overdue_seconds 0\n');
});

function givenFiguresJob(countByStatus: () => Promise<SlowFigures['verifications']>) {
  let time = 0;
  const publish = vi.fn<(figures: SlowFigures) => void>();
  const { verifications, retention, webhooks } = createMemoryStorage();
  const storage: FiguresSource['storage'] = {
    verifications: { ...verifications, countByStatus },
    retention,
    webhooks,
    sizeBytes: async () => 4096,
  };
  const folders = { data: '.', evidence: './not/yet' };
  const job = readFiguresJob(createFigures({ storage, folders }, publish, () => time));
  return {
    job,
    publish,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

test('read_figures: reads counts, sizes and disks, also of a folder that does not exist yet', async () => {
  const { job, publish } = givenFiguresJob(async () => FIGURES.verifications);
  await job.run();
  expect(publish).toHaveBeenCalledOnce();
  const disk = { freeBytes: expect.any(Number), sizeBytes: expect.any(Number) };
  expect(publish.mock.calls[0]?.[0]).toEqual({
    verifications: FIGURES.verifications,
    oldestSubmittedAt: null,
    overdue: 0,
    overdueSince: null,
    unfinishedErasures: 0,
    pausedEndpoints: 0,
    databaseBytes: 4096,
    unclearedSince: null,
    disks: [
      { folder: 'data', ...disk },
      { folder: 'evidence', ...disk },
    ],
  });
});

test('read_figures: a count that took 2 s is repeated after at least 200 s, even if it failed', async () => {
  const counting = vi.fn<() => Promise<SlowFigures['verifications']>>();
  const { job, pass } = givenFiguresJob(counting);
  counting.mockImplementationOnce(async () => {
    pass(2_000);
    throw new Error('too late');
  });
  counting.mockResolvedValue(FIGURES.verifications);
  await expect(job.run()).rejects.toThrow('too late');
  pass(199_999);
  await job.run();
  expect(counting).toHaveBeenCalledTimes(1);
  pass(1);
  await job.run();
  expect(counting).toHaveBeenCalledTimes(2);
});

test('startJobs: reports each run with its outcome', async () => {
  const onRun = vi.fn<(run: { job: string; ok: boolean }) => void>();
  const fault = vi.fn<(fault: unknown) => void>();
  const interval = { everyMs: 60_000 };
  const stop = startJobs(
    [
      { name: 'works', run: async () => undefined, interval },
      { name: 'fails', run: () => Promise.reject(new Error('x')), interval },
    ],
    { fault },
    onRun,
  );
  await vi.waitFor(() => expect(onRun).toHaveBeenCalledTimes(2));
  await stop();
  expect(onRun.mock.calls.map(([{ job, ok }]) => [job, ok])).toEqual([
    ['works', true],
    ['fails', false],
  ]);
  expect(fault).toHaveBeenCalledOnce();
});

test('countSignIns: counts refused attempts by what was wrong, and nothing else', async () => {
  const inc = vi.fn<Metrics['signInFailures']['inc']>();
  const visitor = { cookies: undefined, clientAddress: '192.0.2.1' };
  const accounts = {
    signIn: async (_: unknown, { password }: { password: string }) => ({ outcome: password }),
    enterSecondFactor: async (_: unknown, code: string) => ({ outcome: code }),
    confirmIdentity: async (_: unknown, password: string) => ({ outcome: password }),
  } as unknown as Accounts;
  const counted = countSignIns(accounts, { signInFailures: { inc } });
  for (const outcome of ['refused', 'throttled', 'signed_in', 'second_factor_needed', 'confirmed']) {
    expect(await counted.signIn(visitor, { email: 'a', password: outcome })).toEqual({ outcome });
    await counted.enterSecondFactor(visitor, outcome);
    await counted.confirmIdentity(visitor, outcome);
  }
  expect(inc.mock.calls.map(([{ reason }]) => reason).toSorted()).toEqual(
    ['password', 'second_factor', 'confirmation', 'throttled', 'throttled', 'throttled'].toSorted(),
  );
});

test('metrics: the first 500 of any route is an increase, because the counter is 0 before', async () => {
  const metrics = createMetrics();
  const counted = async () => /^countersign_internal_errors_total (\d+)$/m.exec(await metrics.text())?.[1];
  expect(await counted()).toBe('0');
  const line = { requestId: 'r', method: 'GET', path: '/review', durationMs: 1 };
  const log = givenLog(metrics);
  log.request({ ...line, status: 503 });
  log.request({ ...line, status: 500 });
  expect(await counted()).toBe('1');
});

import { createCountersign, isCountersignError } from '@countersign/domain';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startJobs } from './jobs.ts';

const DAY = 24 * 60 * 60 * 1000;
const TEN_MINUTES = 10 * 60 * 1000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The core over memory, with a verification whose subject never completes it. */
async function givenVerification() {
  const clock = createFixedClock();
  const storage = createMemoryStorage();
  const countersign = createCountersign(
    {
      storage,
      sealing: 'none',
      rateLimiter: createMemoryRateLimiter(clock),
      clock,
      ids: createCountingIds(),
      secrets: createCountingSecrets(),
    },
    { publicBaseUrl: 'https://verify.example' },
  );
  const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
  const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
  const principal = await countersign.authenticate(key);
  const { verification } = await countersign.verifications.create(principal, {
    subjectType: 'kyc',
    subjectReference: 'user_1',
  });
  const status = async () => (await countersign.verifications.get(principal, verification.id)).status;
  return { clock, storage, countersign, status };
}

test('a verification that is never completed expires', async () => {
  const { clock, countersign, status } = await givenVerification();
  const faults: unknown[] = [];
  const jobs = startJobs(countersign, (fault) => faults.push(fault));

  clock.advance(61 * DAY);
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  await jobs.stop();

  expect([await status(), faults]).toEqual(['rejected', []]);
});

test('a job that rejects is reported, and runs again', async () => {
  const { storage, countersign } = await givenVerification();
  const faults: unknown[] = [];
  const jobs = startJobs(countersign, (fault) => faults.push(fault));
  await storage.close();

  await vi.advanceTimersByTimeAsync(2_000);
  await jobs.stop();

  expect(faults.filter((fault) => isCountersignError(fault, 'SERVICE_UNAVAILABLE')).length).toBeGreaterThanOrEqual(
    2,
  );
});

test('a stop waits for warnings that are computed in the background', async () => {
  const { countersign } = await givenVerification();
  const settled = Promise.withResolvers<void>();
  const warnings = { ...countersign.warnings, settled: () => settled.promise };
  const jobs = startJobs({ ...countersign, warnings }, () => undefined);
  const stopped = vi.fn<() => void>();

  const stopping = jobs.stop().then(stopped);
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(stopped).not.toHaveBeenCalled();
  settled.resolve();
  await stopping;
});

test('no job runs after it was stopped', async () => {
  const { clock, countersign, status } = await givenVerification();
  const jobs = startJobs(countersign, () => undefined);

  await jobs.stop();
  clock.advance(61 * DAY);
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);

  expect(await status()).toBe('pending');
});

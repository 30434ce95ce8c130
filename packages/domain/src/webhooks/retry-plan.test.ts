import { describe, expect, it } from 'vitest';
import { afterAttempt, pausedIfFailingSince, RETRY_WAITS_MS } from './retry-plan.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const after = (
  status: number | null,
  { attempts = 1, spread = 0, retryAfterSeconds = null as number | null } = {},
) => afterAttempt({ status, retryAfterSeconds }, { attempts, now, spread });
const dueIn = (wait: number) => ({ result: 'retry', dueAt: new Date(now.getTime() + wait) });

describe('afterAttempt', () => {
  it('delivers on every status from 200 to 299', () => {
    for (const status of [200, 204, 299]) expect(after(status)).toEqual({ result: 'delivered' });
  });

  it('ends the endpoint on 410', () => {
    expect(after(410)).toEqual({ result: 'gone' });
  });

  it('repeats after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then fails', () => {
    const minute = 60_000;
    const waits = [5_000, 5 * minute, 30 * minute, 120 * minute, 300 * minute, 600 * minute, 600 * minute];
    expect(RETRY_WAITS_MS).toEqual(waits);
    for (const [index, wait] of waits.entries()) expect(after(500, { attempts: index + 1 })).toEqual(dueIn(wait));
    expect(after(500, { attempts: waits.length + 1 })).toEqual({ result: 'failed' });
  });

  it('repeats after redirects, other statuses and without an answer', () => {
    for (const status of [null, 199, 300, 302, 400, 404, 429, 503]) expect(after(status)).toEqual(dueIn(5_000));
  });

  it('waits longer by up to a tenth', () => {
    expect(after(500, { spread: 0.5 })).toEqual(dueIn(5_250));
    expect(after(500, { spread: 0.999_999 })).toEqual(dueIn(5_500));
  });

  it('waits as long as the receiver asks for, up to ten hours, and never less than planned', () => {
    expect(after(503, { retryAfterSeconds: 60 })).toEqual(dueIn(60_000));
    expect(after(503, { retryAfterSeconds: 1 })).toEqual(dueIn(5_000));
    expect(after(503, { retryAfterSeconds: 1e9 })).toEqual(dueIn(36_000_000));
  });
});

it('pausedIfFailingSince: three days ago', () => {
  expect(pausedIfFailingSince(now)).toEqual(new Date('2026-02-26T10:00:00.000Z'));
});

import { describe, expect, it } from 'vitest';
import { afterAttempt, pausedIfFailingSince, RETRY_WAITS_MS, type WebhookVerdict } from './retry-plan.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const after = (
  verdict: WebhookVerdict['verdict'],
  { attempts = 1, spread = 0, retryAfterSeconds = null as number | null } = {},
) => afterAttempt({ verdict, retryAfterSeconds }, { attempts, now, spread });
const dueIn = (wait: number) => ({ result: 'retry', dueAt: new Date(now.getTime() + wait) });

describe('afterAttempt', () => {
  it('delivers what was accepted', () => {
    expect(after('accepted')).toEqual({ result: 'delivered' });
  });

  it('ends an endpoint that is gone', () => {
    expect(after('gone')).toEqual({ result: 'gone' });
  });

  it('repeats after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then fails', () => {
    const minute = 60_000;
    const waits = [5_000, 5 * minute, 30 * minute, 120 * minute, 300 * minute, 600 * minute, 600 * minute];
    expect(RETRY_WAITS_MS).toEqual(waits);
    for (const [index, wait] of waits.entries())
      expect(after('failed', { attempts: index + 1 })).toEqual(dueIn(wait));
    expect(after('failed', { attempts: waits.length + 1 })).toEqual({ result: 'failed' });
  });

  it('waits longer by up to a tenth', () => {
    expect(after('failed', { spread: 0.5 })).toEqual(dueIn(5_250));
    expect(after('failed', { spread: 0.999_999 })).toEqual(dueIn(5_500));
  });

  it('waits as long as the receiver asks for, up to ten hours, and never less than planned', () => {
    expect(after('failed', { retryAfterSeconds: 60 })).toEqual(dueIn(60_000));
    expect(after('failed', { retryAfterSeconds: 1 })).toEqual(dueIn(5_000));
    expect(after('failed', { retryAfterSeconds: 1e9 })).toEqual(dueIn(36_000_000));
  });
});

it('pausedIfFailingSince: three days ago', () => {
  expect(pausedIfFailingSince(now)).toEqual(new Date('2026-02-26T10:00:00.000Z'));
});

import { describe, expect, it } from 'vitest';
import { type FirstStepFacts, firstStepsOf, NO_FACTS } from './first-steps.ts';

const HANDED_OUT = { createdBy: null, lastUsedAt: null };

/** What `demo` and an operator's first commands leave: a subscription and a key in each mode, both unused. */
const UNTOUCHED: FirstStepFacts = {
  live: { ...NO_FACTS, keys: [HANDED_OUT], hasSubscription: true },
  test: { ...NO_FACTS, keys: [HANDED_OUT] },
};

const doneWith = (given: {
  readonly live?: Partial<FirstStepFacts['live']>;
  readonly test?: Partial<FirstStepFacts['test']>;
}): string[] =>
  firstStepsOf({ live: { ...UNTOUCHED.live, ...given.live }, test: { ...UNTOUCHED.test, ...given.test } })
    .filter(({ isDone }) => isDone)
    .map(({ name }) => name);

const lackWith = (live: Partial<FirstStepFacts['live']>) =>
  firstStepsOf({ ...UNTOUCHED, live: { ...UNTOUCHED.live, ...live } }).map(({ lacks }) => lacks);

describe('the first steps', () => {
  it('all first steps are open on an untouched installation, keys and subscription or not', () => {
    expect(firstStepsOf(UNTOUCHED)).toEqual([
      { name: 'key', isDone: false, lacks: null },
      { name: 'verification', isDone: false, lacks: null },
      { name: 'webhook', isDone: false, lacks: null },
      { name: 'live', isDone: false, lacks: 'verification' },
    ]);
    expect(firstStepsOf({ live: { ...NO_FACTS, hasSubscription: false }, test: NO_FACTS })).toMatchObject([
      { isDone: false },
      { isDone: false },
      { isDone: false },
      { isDone: false, lacks: 'subscription' },
    ]);
  });

  it.each(['live', 'test'] as const)(
    'a key in %s mode is done once a user created one, or one was used',
    (mode) => {
      expect(doneWith({ [mode]: { keys: [HANDED_OUT, { createdBy: 'user-1', lastUsedAt: null }] } })).toEqual([
        'key',
      ]);
      expect(doneWith({ [mode]: { keys: [{ createdBy: null, lastUsedAt: new Date(0) }] } })).toEqual(['key']);
      expect(doneWith({ [mode]: { keys: [] } })).toEqual([]);
    },
  );

  it.each(['live', 'test'] as const)(
    'a webhook in %s mode is done with an endpoint that is not disabled',
    (mode) => {
      expect(doneWith({ [mode]: { endpoints: [{ state: 'disabled' }] } })).toEqual([]);
      expect(doneWith({ [mode]: { endpoints: [{ state: 'disabled' }, { state: 'paused' }] } })).toEqual([
        'webhook',
      ]);
    },
  );

  it('a verification in test mode is not live', () => {
    expect(doneWith({ test: { hasVerification: true } })).toEqual(['verification']);
  });

  it('a client is live with a verification in live mode and an active subscription', () => {
    expect(doneWith({ live: { hasVerification: true } })).toEqual(['verification', 'live']);
    expect(doneWith({ live: { hasVerification: true, hasSubscription: false } })).toEqual(['verification']);
  });

  it('an open step “live” names what it lacks first', () => {
    expect(lackWith({ hasSubscription: false, keys: [] }).at(-1)).toBe('subscription');
    expect(lackWith({ keys: [] }).at(-1)).toBe('key');
    expect(lackWith({}).at(-1)).toBe('verification');
    expect(lackWith({ hasVerification: true })).toEqual([null, null, null, null]);
    expect(lackWith({ hasVerification: true, hasSubscription: false, keys: [] }).at(-1)).toBe('subscription');
  });
});

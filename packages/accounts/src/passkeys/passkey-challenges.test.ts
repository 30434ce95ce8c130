import { createFixedClock, createMemoryRateLimiter } from '@countersign/memory';
import { expect, it } from 'vitest';
import { KEY } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { createCookieJar } from '../sessions/cookies.ts';
import { versionedSecrets } from '../sessions/secrets.ts';
import { createPasskeyChallenges } from './passkey-challenges.ts';

const MINUTES = 60_000;
const CHALLENGE = { challenge: 'a-challenge', purpose: 'sign_in', userId: null } as const;

function givenChallenges() {
  const clock = createFixedClock(new Date('2026-03-01T12:00:00.000Z'));
  const cookies = createCookieJar('https://verify.example', versionedSecrets([KEY]));
  const challenges = createPasskeyChallenges(cookies, clock, createMemoryRateLimiter(clock));
  const browser = newBrowser();
  return {
    clock,
    browser,
    keep: (challenge: Parameters<typeof challenges.keep>[0] = CHALLENGE) =>
      browser.keep({ setCookies: [challenges.keep(challenge)] }),
    /** Stores a text that this service signed as a challenge. */
    keepText: (text: string) => browser.keep({ setCookies: [cookies.keep(cookies.names.passkey, text, 300)] }),
    take: () => challenges.take(browser.visitor.cookies, 'sign_in'),
  };
}

it('passkey challenges: a challenge is taken once, within five minutes', async () => {
  const { clock, browser, keep, take } = givenChallenges();
  keep();
  expect(browser.attributesOf('passkey')).toContain('Max-Age=300;');
  clock.advance(5 * MINUTES - 1);
  expect(await take()).toMatchObject(CHALLENGE);
  expect(await take()).toBe('replayed');

  keep();
  clock.advance(5 * MINUTES);
  expect(await take()).toBe('request');
});

it('passkey challenges: one from an instance whose clock is ahead is refused', async () => {
  const { clock, keep, take } = givenChallenges();
  clock.advance(1);
  keep();
  clock.advance(-1);
  expect(await take()).toBe('request');
});

it('passkey challenges: one for another purpose is refused', async () => {
  const { keep, take } = givenChallenges();
  keep({ ...CHALLENGE, purpose: 'second_factor' });
  expect(await take()).toBe('request');
});

const BEGUN = new Date('2026-03-01T12:00:00.000Z').getTime();

it.each([
  'text',
  'null',
  '{}',
  JSON.stringify({ purpose: 'sign_in', begunAt: BEGUN }),
  JSON.stringify({ challenge: 'c', purpose: 'sign_in' }),
  JSON.stringify({ challenge: 1, purpose: 'sign_in', begunAt: BEGUN }),
  JSON.stringify({ challenge: 'c', purpose: 'sign_in', begunAt: '1' }),
  JSON.stringify({ challenge: 'c', begunAt: BEGUN }),
])('passkey challenges: %s is not a challenge', async (text) => {
  const { keepText, take } = givenChallenges();
  keepText(text);
  expect(await take()).toBe('request');
});

it('passkey challenges: without a user, any user may answer', async () => {
  const { keepText, take } = givenChallenges();
  keepText(JSON.stringify({ challenge: 'c', purpose: 'sign_in', begunAt: BEGUN }));
  expect(await take()).toMatchObject({ challenge: 'c', userId: null });
});

import { createFixedClock } from '@countersign/memory';
import { expect, it } from 'vitest';
import { KEY } from '../../test-support/accounts.ts';
import { newBrowser } from '../../test-support/browser.ts';
import { createCookieJar } from '../sessions/cookies.ts';
import { versionedSecrets } from '../sessions/secrets.ts';
import { createSignOnRequests } from './sign-on-request.ts';

const MINUTES = 60_000;
const BEGUN = new Date('2026-03-01T12:00:00.000Z');

function givenRequests() {
  const clock = createFixedClock(BEGUN);
  const cookies = createCookieJar('https://verify.example', versionedSecrets([KEY]));
  const requests = createSignOnRequests(cookies, clock);
  const browser = newBrowser();
  return {
    clock,
    browser,
    begin(returnTo: string | null = '/review') {
      const { request, setCookie } = requests.begin({
        providerId: 'acme',
        purpose: { kind: 'sign_in' },
        returnTo,
      });
      browser.keep({ setCookies: [setCookie] });
      return request;
    },
    /** Stores a text that this service signed as a request. */
    keepText: (text: string) => browser.keep({ setCookies: [cookies.keep(cookies.names.signOn, text, 600)] }),
    find: (state: string, providerId = 'acme') => requests.find(browser.visitor.cookies, providerId, state),
  };
}

it('sign-on requests: a request is found for ten minutes, by its provider and its state', () => {
  const { clock, browser, begin, find } = givenRequests();
  const request = begin();
  expect(browser.attributesOf('sign_on')).toContain('Max-Age=600;');
  expect(find(request.state)).toEqual(request);
  expect(find(request.state, 'other')).toBeNull();
  expect(find(request.nonce)).toBeNull();
  clock.advance(10 * MINUTES - 1);
  expect(find(request.state)).toEqual(request);
  clock.advance(1);
  expect(find(request.state)).toBeNull();
});

it('sign-on requests: one from an instance whose clock is ahead is refused', () => {
  const { clock, begin, find } = givenRequests();
  clock.advance(1);
  const { state } = begin();
  clock.advance(-1);
  expect(find(state)).toBeNull();
});

it.each([
  ['/review', '/review'],
  [null, null],
  [`/${'a'.repeat(1_499)}`, `/${'a'.repeat(1_499)}`],
  [`/${'a'.repeat(1_500)}`, null],
])('sign-on requests: a path is kept up to 1,500 characters (%#)', (returnTo, kept) => {
  const { begin, find } = givenRequests();
  const { state } = begin(returnTo);
  expect(find(state)?.returnTo).toBe(kept);
});

const OTHER_VERSIONS = {
  'a text': 'text',
  null: 'null',
  'an object without members': '{}',
  'one without a state': JSON.stringify({ providerId: 'acme', begunAt: BEGUN.getTime() }),
  'one whose state is a number': JSON.stringify({ providerId: 'acme', state: 1, begunAt: BEGUN.getTime() }),
  'one without a time': JSON.stringify({ providerId: 'acme', state: 'state' }),
  'one whose time is a text': JSON.stringify({
    providerId: 'acme',
    state: 'state',
    begunAt: String(BEGUN.getTime()),
  }),
};

it.each(Object.entries(OTHER_VERSIONS))('sign-on requests: %s is no request', (_, text) => {
  const { keepText, find } = givenRequests();
  keepText(text);
  expect(find('state')).toBeNull();
});

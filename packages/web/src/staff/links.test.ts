import { beforeEach, expect, it } from 'vitest';
import { CLARA, OLGA, RITA } from '../../test-support/console.ts';
import { ANDY, VERA } from '../../test-support/dashboard.ts';
import { type GivenOperator, givenOperator } from '../../test-support/operator.ts';

/** Above what each role reaches: lists, one of each item and their filters. */
const PAGES_MAX = 250;

const ROLES = [
  ['owner', CLARA],
  ['agent', ANDY],
  ['viewer', VERA],
  ['reviewer', RITA],
  ['operator', OLGA],
] as const;

let given: GivenOperator;

beforeEach(async () => {
  given = await givenOperator();
});

/** Follows every link from the user's home page. Returns the pages that link to each page, by its address. */
async function follow(who: string): Promise<Map<string, { status: number; from: string }>> {
  const seen = new Map<string, { status: number; from: string }>();
  const waiting = [{ path: '/account', from: '(start)' }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, from } = next;
    if (seen.has(path) || seen.size >= PAGES_MAX) continue;
    // The requests of a user are limited for each minute, and a confirmation holds for ten.
    given.ports.clock.advance(1_000);
    const { status, headers, text } = await given.open(path, who);
    seen.set(path, { status, from });
    const location = headers.get('Location');
    const links = [...text.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href);
    for (const href of location === null ? links : [location]) {
      const target = href.replaceAll('&amp;', '&').replace(/#.*/, '');
      // The API answers the reference.
      if (target.startsWith('/kyc/') && target !== '/kyc/docs')
        waiting.push({ path: target.slice('/kyc'.length), from: path });
    }
  }
  return seen;
}

it.each(ROLES)('no page links the %s to a page that their role may not open', async (_, who) => {
  const waiting = await given.submitted({ subjectReference: 'waiting' });
  await given.submitted({ subjectReference: 'approved' });
  await given.pending();
  await given.send('/admin/users/ben/invitation');
  await given.send('/admin/users/ben/remove', { email: 'ben@example.org' });
  await given.send(`/review/${waiting}/claim`, {}, RITA);
  const pages = await follow(who);
  expect(pages.size).toBeGreaterThan(8);
  expect([...pages].filter(([, { status }]) => status >= 400)).toEqual([]);
});

it.each(ROLES)('without any data, no page links the %s to a page that their role may not open', async (_, who) => {
  await given.countersign.clients.setSubscription(given.clientId, { status: 'canceled' });
  const pages = await follow(who);
  expect(pages.size).toBeGreaterThan(3);
  expect([...pages].filter(([, { status }]) => status >= 400)).toEqual([]);
});

it('the page that asks for a required second factor does not link to the area that is closed until then', async () => {
  given = await givenOperator({ requireSecondFactor: true });
  for (const [, who] of ROLES) {
    const { text } = await given.open('/account/security?needed=1', who);
    expect(/<ul><li><a [^>]*class="item"/.test(text), who).toBe(who !== RITA && who !== OLGA);
  }
});

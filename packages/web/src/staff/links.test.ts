import { beforeEach, expect, it } from 'vitest';
import { OLGA, RITA } from '../../test-support/console.ts';
import { followLinks, givenDataOfStaff, ROLES } from '../../test-support/linked-pages.ts';
import { type GivenOperator, givenOperator } from '../../test-support/operator.ts';

let given: GivenOperator;

beforeEach(async () => {
  given = await givenOperator();
});

it.each(ROLES)('no page links the %s to a page that their role may not open', async (_, who) => {
  await givenDataOfStaff(given);
  const pages = await followLinks(given, who);
  expect(pages.size).toBeGreaterThan(8);
  expect([...pages].filter(([, { status }]) => status >= 400)).toEqual([]);
});

it.each(ROLES)('without any data, no page links the %s to a page that their role may not open', async (_, who) => {
  await given.countersign.clients.setSubscription(given.clientId, { status: 'canceled' });
  const pages = await followLinks(given, who);
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

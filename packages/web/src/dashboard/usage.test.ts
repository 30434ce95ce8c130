import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA } from '../../test-support/console.ts';
import { type GivenDashboard, givenDashboard, VERA } from '../../test-support/dashboard.ts';

const DAY = 24 * 60 * 60_000;

let given: GivenDashboard;

beforeEach(async () => {
  given = await givenDashboard();
});

const create = (count: number) => Promise.all(Array.from({ length: count }, () => given.pending()));
const limit = (monthlyLimit: number) =>
  given.countersign.clients.setSubscription(given.clientId, { monthlyLimit });

describe('the usage page', () => {
  it('shows usage against the limit, in words and as a meter, and the reset day', async () => {
    await create(3);
    const { words, text } = await given.open('/dashboard/usage', VERA);
    expect(words).toContain('3 of 1,000 verifications');
    expect(words).toContain('Created in January 2026. The count resets on 1 February 2026 (UTC).');
    expect(text).toMatch(/<meter[^>]*max="1000"[^>]*value="3"[^>]*aria-label="3 of 1,000 verifications used"/);
    expect(words).not.toContain('LIMIT_EXCEEDED');
  });

  it('shows at the limit how the API answers', async () => {
    await limit(2);
    await create(2);
    for (const path of ['/dashboard/usage', '/dashboard']) {
      const { words } = await given.open(path);
      expect(words).toContain('This month’s limit is reached');
      expect(words).toContain('before 1 February 2026');
      expect(words).toContain('LIMIT_EXCEEDED');
    }
    const { value } = await given.countersign.apiKeys.issue(given.clientId, { permissions: ['*'] });
    const principal = await given.countersign.authenticate(value);
    const creating = given.countersign.verifications.create(principal, {
      subjectType: 'kyc',
      subjectReference: 'one more',
    });
    await expect(creating).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('says where there is no active subscription', async () => {
    await given.countersign.clients.setSubscription(given.clientId, { status: 'canceled' });
    const { words, text } = await given.open('/dashboard/usage');
    expect(words).toContain('There is no active subscription');
    expect(words).toContain('NO_ACTIVE_SUBSCRIPTION');
    expect(text).not.toContain('<meter');
  });

  it('shows a limit of nothing', async () => {
    await limit(0);
    const { status, words } = await given.open('/dashboard/usage');
    expect(status).toBe(200);
    expect(words).toContain('LIMIT_EXCEEDED');
  });

  it('draws the last 30 days, and has the same figures as a table', async () => {
    await create(2);
    given.ports.clock.advance(3 * DAY);
    await create(5);
    const { text, words } = await given.open('/dashboard/usage');
    // A bar for each of the two days, and over today's the hatching.
    expect(pathsOf(text, 'class="bar of-open"').match(/M/g)).toHaveLength(2);
    expect(pathsOf(text, 'fill="url\\(#chart-today\\)"').match(/M/g)).toHaveLength(1);
    expect(text).toContain('href="/kyc/dashboard/verifications?from=2026-01-18&amp;until=2026-01-18"');
    expect(words).toContain('18 January 2026: 5 Approved 0 Not approved 0 Undecided 5');
    expect(text).toMatch(
      /<svg[^>]*role="img"[^>]*aria-labelledby="chart-title"[^>]*aria-describedby="chart-desc"/,
    );
    expect(words).toContain('7 in total. Most on 18 January 2026: 5.');
    expect(text.match(/<time datetime="\d{4}-\d\d-\d\d">/g)).toHaveLength(30);
    expect(words).toMatch(/18 January 2026 5 0 0 5 .*15 January 2026 2 0 0 2 /);
    // The policy forbids styles in the page; colours come from the stylesheet.
    expect(text).not.toMatch(/ style=|<style/);
  });

  it('says if no verification was created, in German too', async () => {
    expect((await given.open('/dashboard/usage')).words).toContain(
      'No verification was created in these 30 days.',
    );
    const Cookie = `${given.accounts.signedIn(CLARA)}; language=de`;
    const { words } = await given.get('/dashboard/usage', CLARA, { Cookie });
    expect(words).toContain('0 von 1.000 Prüfungen');
    expect(words).toContain('In diesen 30 Tagen wurde keine Prüfung angelegt.');
  });

  it('counts no verification of another client', async () => {
    await create(1);
    expect((await given.open('/dashboard/usage')).words).toContain('1 of 1,000 verifications');
  });
});

/** Returns the drawing of the path with an attribute. */
function pathsOf(text: string, attribute: string): string {
  return new RegExp(`<path ${attribute} d="([^"]*)"`).exec(text)?.[1] ?? '';
}

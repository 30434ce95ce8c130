import { beforeEach, describe, expect, it } from 'vitest';
import { BEN, type GivenConsole, givenConsole, RITA } from '../../test-support/console.ts';

let given: GivenConsole;

beforeEach(async () => {
  given = await givenConsole();
});

const HOUR = 3_600_000;

/** The references of the cases on a page, in its order. */
function listed(text: string): string[] {
  return [...text.matchAll(/data-case[^>]*>([^<]*)</g)].map(([, reference]) => reference ?? '');
}

describe('the queue', () => {
  it('says whether the queue is empty or no case matches the filters', async () => {
    expect((await given.get('/review')).words).toContain('No case is waiting for a decision.');
    const filtered = await given.get('/review?type=kyb');
    expect(filtered.words).toContain('No case matches these filters.');
    expect(filtered.text).toContain('href="/kyc/review"');
  });

  it('lists the longest waiting case first, with its waiting time in words and exactly', async () => {
    await given.submitted({ subjectReference: 'first' });
    given.ports.clock.advance(50 * HOUR);
    await given.submitted({ subjectReference: 'second' });
    given.ports.clock.advance(90 * 60_000);
    const { text, words } = await given.get('/review');
    expect(listed(text)).toEqual(['first', 'second']);
    expect(words).toContain('2 cases');
    expect(words).toMatch(/first 2 days, 3 hours .*second 1 hour, 30 minutes/);
    expect(text).toContain('<time datetime="2026-01-15T12:00:00.000Z" title="15 Jan 2026, 12:00 UTC">');
  });

  it('shows no waiting time for a decided case', async () => {
    const id = await given.submitted({ subjectReference: 'done' });
    await given.act(id, 'approve', { confirmed: 'yes' });
    given.ports.clock.advance(50 * HOUR);
    const { words } = await given.get('/review?status=approved');
    expect(words).toMatch(/done Decided /);
    expect(words).not.toContain('2 days');
  });

  it('filters by status, kind of subject, client and claim', async () => {
    await given.submitted({ subjectReference: 'person' });
    const mine = await given.submitted({ subjectReference: 'business', type: 'kyb' });
    const theirs = await given.submitted({ subjectReference: 'held' });
    await given.pending({ subjectReference: 'early' });
    await given.act(mine, 'claim');
    await given.act(theirs, 'claim', {}, BEN);
    const { client } = await given.countersign.clients.create({ name: 'Other', plan: 'standard' });

    const cases = async (query: string) => listed((await given.get(`/review${query}`)).text);
    expect(await cases('')).toEqual(['person', 'business', 'held']);
    expect(await cases('?type=kyb')).toEqual(['business']);
    expect(await cases('?status=pending')).toEqual(['early']);
    expect(await cases('?claim=mine')).toEqual(['business']);
    expect(await cases('?claim=unclaimed')).toEqual(['person']);
    expect(await cases(`?client=${client.id}`)).toEqual([]);
    expect(await cases('?claim=mine&type=kyc')).toEqual([]);
    expect(await cases(`?client=${'x'.repeat(300)}`)).toEqual(['person', 'business', 'held']);
    expect(await cases('?status=nonsense&type=&client=&claim=none&page=x')).toEqual([
      'person',
      'business',
      'held',
    ]);

    const { words, text } = await given.get('/review?claim=mine');
    expect(words).toContain('Claimed by');
    expect(text).toContain('<strong>You</strong>');
    expect(text).toMatch(/<option value="mine" selected/);
  });

  it('goes on page by page with its filters', async () => {
    for (let count = 0; count < 21; count += 1) await given.submitted();
    const first = await given.get('/review?claim=unclaimed');
    expect(listed(first.text)).toHaveLength(20);
    expect(first.words).toContain('21 cases');
    expect(first.words).toContain('Page 1 of 2');
    expect(first.text).toContain('href="/kyc/review?claim=unclaimed&amp;page=2"');
    expect(listed((await given.get('/review?claim=unclaimed&page=2')).text)).toHaveLength(1);
    expect((await given.get('/review?page=7')).status).toBe(200);
  });

  it('leads to the longest waiting unclaimed case', async () => {
    expect((await given.get('/review/next')).headers.get('Location')).toBe('/kyc/review');
    const held = await given.submitted();
    given.ports.clock.advance(HOUR);
    const free = await given.submitted();
    await given.act(held, 'claim', {}, BEN);
    expect((await given.get('/review/next', RITA)).headers.get('Location')).toBe(`/kyc/review/${free}`);
  });
});

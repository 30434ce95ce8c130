// Each state of the pages is looked at in each theme and width, and again without scripts.
import { createReaders, inBothLanguages } from '@countersign/test-support/browser/both-languages';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { leaving } from '@countersign/test-support/browser/leaving';
import { givenStaff, newStaffVisitor, type Staff } from '@countersign/test-support/browser/staff';
import { change } from '@countersign/test-support/installation/database-file';
import { rowsIn } from '@countersign/test-support/installation/rows-in';
import { newMember } from '@countersign/test-support/pages/staff-forms';
import { until } from '@countersign/test-support/processes/until';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { givenCaseMaker } from '../submitted-cases.ts';

const SECRET_KEY = new Uint8Array(32).fill(7);
const LANGUAGES = ['en-GB', 'de-DE'];
const THEMES = ['light', 'dark'] as const;

describeWith(['chromium'], 'the states of cases and of the queue', () => {
  let site: CountersignSite;
  let reviewer: Staff;
  let cases: Readonly<Record<'clean' | 'info' | 'warning' | 'critical' | 'decided' | 'taken' | 'torn', string>>;

  beforeAll(async () => {
    site = await startSite({ SECRET_KEYS: Buffer.from(SECRET_KEY).toString('base64') });
    reviewer = await givenStaff(site);
    const maker = await givenCaseMaker(site.server, SECRET_KEY);
    const other = await newMember(site.server, { role: 'reviewer' });
    const submit = (number: string, lastName: string) =>
      maker.submit({ document: { number }, person: { lastName } });
    await submit('INFO1', 'Known');
    await submit('WARN1', 'First');
    const fraud = await submit('CRIT1', 'Fraud');
    const decided = await submit('DONE1', 'Decided');
    await other.act(fraud, 'reject', { 'reject.reasonCodes': 'suspected_fraud' });
    await other.act(decided, 'approve');
    // A decision claims the next case.
    for (const claimed of await rowsIn(site.server, 'SELECT id FROM verifications WHERE claimed_by IS NOT NULL')) {
      await other.act(String(claimed.id), 'release');
    }
    cases = {
      decided,
      clean: await submit('CLEAN1', 'Clean'),
      info: await submit('INFO1', 'Known'),
      warning: await submit('WARN1', 'Second'),
      critical: await submit('CRIT1', 'Fraud'),
      taken: await submit('TAKEN1', 'Taken'),
      torn: await submit('TORN1', 'Torn'),
    };
    await other.act(cases.taken, 'claim');
    const severityOf = async (id: string) => {
      const [row] = await rowsIn(
        site.server,
        `SELECT severity FROM verifications WHERE warnings IS NOT NULL AND id = '${id}'`,
      );
      return row?.severity;
    };
    for (const severity of ['info', 'warning', 'critical'] as const) {
      await until(async () => (await severityOf(cases[severity])) === severity);
    }
    await until(async () => (await severityOf(cases.clean)) === null);
    change(
      site.server.databaseFile,
      'UPDATE verifications SET data_key = (SELECT data_key FROM verifications WHERE id = ?) WHERE id = ?',
      cases.clean,
      cases.torn,
    );
  });

  const pages = () => [
    ...(['clean', 'info', 'warning', 'critical', 'decided', 'taken'] as const).map(
      (state) => `/review/${cases[state]}`,
    ),
    '/review',
    '/review?only=warned',
    '/review?only=resubmitted',
    '/review?status=approved',
  ];
  const SEARCHES = [
    { query: 'CLEAN1', status: 200 },
    { query: 'UNKNOWN', status: 200 },
    { query: 'x'.repeat(300), status: 422 },
  ];

  it('each state of the review pages is accessible in both languages and themes, wide and narrow', async () => {
    const readers = createReaders(site.origin);
    const reader = inBothLanguages(site.origin, await readers.of('de'));
    await reader.signInAs({
      cookies: () => reviewer.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    });
    for (const path of pages()) await reader.look(path);
    for (const { query, status } of SEARCHES) {
      await reader.look('/review/search');
      await reader.post('/review/search', { query }, status);
    }
    await reader.look(`/review/${cases.clean}`);
    const late = { expectedVersion: '1', 'reject.reasonCodes': 'data_mismatch', 'reject.message': 'Kept' };
    await reader.post(`/review/${cases.clean}/reject`, late, 409);
    reader.expectNothingWrong();
  });

  it.each(LANGUAGES)('each state of the review pages fits 320 px in %s, without a script', async (locale) => {
    const { page, complaints } = await newStaffVisitor(site, reviewer, {
      screen: 'narrow',
      javaScript: false,
      locale,
    });
    const expectHoldsInThemes = async (what: string) => {
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        await expectHolds(page, `${what}, ${theme}`);
      }
    };
    for (const path of pages()) {
      expect((await page.goto(site.origin + path))?.status(), path).toBe(200);
      await expectHoldsInThemes(path);
    }
    for (const { query } of SEARCHES) {
      await page.goto(`${site.origin}/review`);
      await page.locator('[name=query]').fill(query);
      await leaving(page, () => page.keyboard.press('Enter'));
      await expectHoldsInThemes(query);
      expect(await page.locator(`[data-case][href*="${cases.clean}"]`).count()).toBe(query === 'CLEAN1' ? 1 : 0);
    }
    complaints.expectNone();
  });

  it('a queue with a damaged case shows it in its place, and an empty one says so without a script', async () => {
    const { page } = await newStaffVisitor(site, reviewer, { screen: 'narrow', javaScript: false });
    await page.goto(`${site.origin}/review`);
    const row = page.locator('.queue tbody tr', { has: page.locator(`[href*="${cases.torn}"]`) });
    expect(await row.innerText()).toContain('Data damaged');
    expect(await page.locator('.queue tbody tr').count()).toBeGreaterThan(5);

    const empty = await startSite();
    const other = await newStaffVisitor(empty, await givenStaff(empty), { screen: 'narrow', javaScript: false });
    await other.page.goto(`${empty.origin}/review`);
    await expectHolds(other.page, 'the empty queue');
    expect(await other.page.locator('[data-case]').count()).toBe(0);
  });

  it.each(LANGUAGES)(
    'a case that changed meanwhile keeps what was typed in %s, without a script',
    async (locale) => {
      const colleague = await newMember(site.server, { role: 'reviewer' });
      const { page } = await newStaffVisitor(site, reviewer, { screen: 'narrow', javaScript: false, locale });
      await page.goto(`${site.origin}/review/${cases.info}`);
      const form = page.locator('#act-reject');
      await form.locator('> summary').click();
      await form.locator('[name="reject.reasonCodes"][value="data_mismatch"]').check();
      await form.locator('[name="reject.message"]').fill('Kept while others wrote');
      await colleague.act(cases.info, 'note', { 'note.internalNote': `Seen ${locale}` });
      await leaving(page, () => form.locator('button[type=submit]').first().click());

      await expectHolds(page, 'the changed case');
      expect(await page.locator('[name="reject.message"]').inputValue()).toBe('Kept while others wrote');
      const [stored] = await rowsIn(site.server, `SELECT status FROM verifications WHERE id = '${cases.info}'`);
      expect(stored).toEqual({ status: 'submitted' });
    },
  );

  it('a search while the index key cannot be read says that it is incomplete, in both languages and themes', async () => {
    change(site.server.databaseFile, "UPDATE index_keys SET value = 'damaged'");
    const readers = createReaders(site.origin);
    const reader = inBothLanguages(site.origin, await readers.of('de'));
    await reader.signInAs({
      cookies: () => reviewer.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    });
    await reader.look('/review/search');
    await reader.post('/review/search', { query: 'CLEAN1' }, 200);
    reader.expectNothingWrong();

    const { page } = await newStaffVisitor(site, reviewer, { screen: 'narrow', javaScript: false });
    await page.goto(`${site.origin}/review`);
    await page.locator('[name=query]').fill('CLEAN1');
    await leaving(page, () => page.keyboard.press('Enter'));
    await expectHolds(page, 'the incomplete search');
    expect(await page.locator('main').innerText()).toContain('This search is incomplete');
    expect(await page.locator('[name=query]').inputValue()).toBe('CLEAN1');
  });
});

/** Expects a page with a heading that does not scroll sideways. */
async function expectHolds(page: Page, what: string): Promise<void> {
  expect(await page.locator('h1').first().isVisible(), what).toBe(true);
  const width = await page.evaluate<number>('document.scrollingElement.scrollWidth');
  expect(width, what).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

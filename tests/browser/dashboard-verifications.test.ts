import { atOnce, dataOf, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { newVisitor, type Outfit, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, type Details, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, follow, press, rowOf } from '@countersign/test-support/browser/dashboard';
import { fillIn } from '@countersign/test-support/browser/fields';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { slugOf, walk } from '@countersign/test-support/browser/walk';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { change, rowsOf } from '@countersign/test-support/installation/database-file';
import type { Typed } from '@countersign/test-support/pages/page-answers';
import { card } from '@countersign/test-support/pages/pictures';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { pressCopy } from './every-page/copying.ts';

const LIST = '/dashboard/verifications';
const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE_SIZE = 25;
/** Texts that appear only in the subject's answers. */
const SUBMITTED = ['Núñez-Ødegård', 'ul. Długa 1', 'ABC123456', 'zoe@example.org'];

describeWith(['chromium'], 'a client’s verifications', () => {
  let site: CountersignSite;
  /** Agents of separate clients, created one after another: all at once, requests would time out. */
  const agents: (GivenApi & { readonly forms: StaffForms })[] = [];

  beforeAll(async () => {
    site = await startSite();
    for (let count = 0; count < 5; count++) {
      const client = await givenApi(site.server);
      agents.push({ ...client, forms: await newTeamMember(site.server, client.clientId, 'agent') });
    }
  });

  const file = () => site.server.databaseFile;
  const pathOf = (page: Page) => page.url().slice(site.origin.length);
  const open = (page: Page, path: string) => page.goto(site.origin + path);

  /** Opens a browser as an unused agent. */
  async function givenAgent(outfit: Outfit = {}): Promise<GivenApi & Visitor> {
    const agent = agents.pop();
    if (agent === undefined) throw new Error('more tests than agents');
    return { ...agent, ...(await atTheDashboard(site, agent.forms, outfit)) };
  }

  /** Reads the subject references in the list, from the top. */
  const references = (page: Page) => page.locator('main tbody th').allInnerTexts();

  async function createByHand(page: Page, subjectReference: string): Promise<void> {
    await fillIn(page.locator('main form'), {
      subjectType: 'kyc',
      subjectReference,
      metadata: '{ "order": 17 }',
    });
    await press(page, 'Create');
  }

  /** Copies the subject's link from the page, with the copy button where there is one. */
  async function takeLink(page: Page, javaScript: boolean): Promise<string> {
    const shown = await page.locator('#verification-link').inputValue();
    expect(await page.locator('button[data-copy]').isVisible()).toBe(javaScript);
    if (!javaScript) return shown;
    await pressCopy(page);
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(shown);
    return shown;
  }

  /** Opens a link in another browser, as its subject does. */
  async function openAsSubject(link: string): Promise<Visitor & { readonly status: number | undefined }> {
    const visitor = await newVisitor(site.origin);
    const answer = await visitor.page.goto(link);
    return { ...visitor, status: answer?.status() };
  }

  /** Answers over plain forms, because pages in a browser take longer. */
  async function answerTwoSteps(link: string): Promise<void> {
    const picture = new Blob([await card('two steps')]);
    await (await openSubjectForms(link, 'kyc')).walk({ file: () => picture }, 'name');
  }

  describe.concurrent('managed by an agent', () => {
    it.each([true, false])('are created, sent, renewed and withdrawn (JavaScript: %s)', async (javaScript) => {
      const { page, context, api, complaints } = await givenAgent({ javaScript });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
      await open(page, LIST);
      await follow(page, 'Create a verification');
      await createByHand(page, 'by hand');
      const [, id = ''] = /^\/dashboard\/verifications\/([^/?]+)\?done=created$/.exec(pathOf(page)) ?? [];
      const details = async () => dataOf(await api.get(`/verifications/${id}/details`)) as unknown as Details;
      expect(await details()).toMatchObject({ status: 'pending', metadata: { order: 17 } });

      const link = await takeLink(page, javaScript);
      const subject = await openAsSubject(link);
      await answerTwoSteps(link);
      await page.reload();
      expect(await wordsOf(page)).toContain('2 of 6 steps');

      await follow(page, /^Renew the link/);
      await press(page, 'Yes, renew the link');
      expect(await wordsOf(page)).toContain('The link is renewed');
      const renewed = await takeLink(page, javaScript);
      expect(renewed).not.toBe(link);
      // The session opened with the old link ends.
      await subject.page.reload();
      expect(await wordsOf(subject.page)).toContain('This link is not valid');
      expect((await subject.page.goto(link))?.status()).toBe(404);
      const again = await openAsSubject(renewed);
      await walk(again.page, 'kyc', { until: 'name' });
      expect(slugOf(again.page)).toBe('name');

      await follow(page, /^Withdraw this verification/);
      await press(page, 'Yes, withdraw');
      expect(await wordsOf(page)).toMatch(
        /The verification is withdrawn[\s\S]*Rejected[\s\S]*Withdrawn by your team/,
      );
      expect(await page.locator('#verification-link').count()).toBe(0);
      expect(await details()).toMatchObject({
        status: 'rejected',
        resolvedAt: expect.any(String) as string,
        decision: { outcome: 'rejected', reasonCodes: ['withdrawn'] },
      });
      await again.page.goto(renewed);
      expect(await again.page.locator('a.main-action, #page-form').count()).toBe(0);
      await follow(page, /All verifications/);
      expect(await rowOf(page, 'by hand')).toContain('Rejected');
      for (const seen of [complaints, subject.complaints, again.complaints]) seen.expectNone();
    });

    it('are filtered by status, subject type, days and the start of the reference', async () => {
      const { page, api, complaints } = await givenAgent();
      const made: readonly (readonly [reference: string, subjectType: string, daysAgo: number])[] = [
        ['user_1', 'kyc', 9],
        ['user_10', 'kyb', 8],
        ['xuser_1', 'kyc', 7],
        ['USER_1', 'kyc', 6],
        ['userX1', 'kyb', 5],
        ['user%1', 'kyc', 4],
        ['%', 'kyc', 3],
      ];
      const days = new Map<string, string>();
      for (const [subjectReference, subjectType, daysAgo] of made) {
        const id = idOf(await api.post({ subjectType, subjectReference }));
        change(
          file(),
          'UPDATE verifications SET requested_at = requested_at - ? WHERE id = ?',
          daysAgo * DAY_MS,
          id,
        );
        const [row] = rowsOf(file(), 'SELECT requested_at AS at FROM verifications WHERE id = ?', id);
        days.set(subjectReference, new Date(Number(row?.at)).toISOString().slice(0, 10));
        if (subjectReference !== 'user_10') continue;
        await open(page, `${LIST}/${id}/withdraw`);
        await press(page, 'Yes, withdraw');
      }
      await open(page, LIST);
      const newestFirst = made.map(([reference]) => reference).toReversed();
      expect(await references(page)).toEqual(newestFirst);

      const NO_FILTER = { status: '', type: '', prefix: '', from: '', until: '' };
      const found = async (filter: Typed) => {
        await fillIn(page.locator('main form.filters'), { ...NO_FILTER, ...filter });
        await press(page, 'Show');
        return references(page);
      };
      expect(await found({ prefix: 'user_1' })).toEqual(['user_10', 'user_1']);
      expect(await found({ prefix: 'USER' })).toEqual(['USER_1']);
      expect(await found({ prefix: 'user%' })).toEqual(['user%1']);
      expect(await found({ prefix: '%' })).toEqual(['%']);
      expect(await found({ prefix: '_' })).toEqual([]);
      expect(await wordsOf(page)).toContain('No verification matches these filters.');
      expect(await found({ status: 'rejected' })).toEqual(['user_10']);
      expect(await found({ type: 'kyb' })).toEqual(['userX1', 'user_10']);
      expect(await found({ type: 'kyb', status: 'pending' })).toEqual(['userX1']);

      const [from = '', until = ''] = [days.get('xuser_1'), days.get('userX1')];
      expect(await found({ from, until })).toEqual(['userX1', 'USER_1', 'xuser_1']);
      expect(await found({ from, until: from })).toEqual(['xuser_1']);
      expect(await found({ from: until, until: from })).toEqual([]);
      expect(await wordsOf(page)).toContain('The last day must not be before the first day');
      await follow(page, 'Clear filters');
      expect(await references(page)).toEqual(newestFirst);
      complaints.expectNone();
    });

    it('are listed in pages that stay stable while others are created', async () => {
      const { page, api, clientId, complaints } = await givenAgent();
      await atOnce(30, (index) => api.post(newSubject(`row ${index}`)));
      const sql =
        'SELECT subject_reference AS r FROM verifications WHERE client_id = ? ORDER BY requested_at DESC, id DESC';
      const all = rowsOf(file(), sql, clientId).map(({ r }) => r);
      expect(all).toHaveLength(30);
      await open(page, LIST);
      expect(await wordsOf(page)).toContain('30 verifications');
      expect(await references(page)).toEqual(all.slice(0, PAGE_SIZE));

      idOf(await api.post(newSubject('meanwhile')));
      await follow(page, 'Older');
      expect(await references(page)).toEqual(all.slice(PAGE_SIZE));
      expect(await wordsOf(page)).toContain('These are the oldest.');
      await follow(page, 'Newest');
      expect(await references(page)).toEqual(['meanwhile', ...all.slice(0, PAGE_SIZE - 1)]);
      complaints.expectNone();
    });

    it('are not created twice for one subject: the form links the open one', async () => {
      const { page, api, clientId, complaints } = await givenAgent();
      const first = idOf(await api.post(newSubject('twice')));
      const rows = () => rowsOf(file(), 'SELECT id FROM verifications WHERE client_id = ?', clientId);
      await open(page, `${LIST}/new`);
      await createByHand(page, 'twice');
      expect(await wordsOf(page)).toContain('A verification for this subject reference is still open');
      expect(await page.getByLabel('Subject reference').inputValue()).toBe('twice');
      expect(await page.getByLabel('Metadata').inputValue()).toBe('{ "order": 17 }');
      expect(rows()).toEqual([{ id: first }]);

      await follow(page, 'Open the existing verification');
      expect(pathOf(page)).toBe(`${LIST}/${first}`);
      await follow(page, /^Withdraw this verification/);
      await press(page, 'Yes, withdraw');
      await open(page, `${LIST}/new`);
      await createByHand(page, 'twice');
      expect(await wordsOf(page)).toContain('The verification is created');
      expect(rows()).toHaveLength(2);
      complaints.expectNone();
    });
  });

  it('show submitted answers to an agent, and only the status to a viewer', async () => {
    const { id } = await site.createAnswered('kyc');
    const { id: waiting, url: link } = await site.create('kyc');
    for (const role of ['agent', 'viewer'] as const) {
      const { page, complaints } = await atTheDashboard(
        site,
        await newTeamMember(site.server, site.clientId, role),
      );
      const mayRead = role === 'agent';
      await open(page, `${LIST}/${id}`);
      const words = await wordsOf(page);
      expect(words).toMatch(/Submitted by the subject[\s\S]*Created by your team or your API key/);
      expect(words).toMatch(/Identity document\s+Completed/);
      const sent = await page.content();
      for (const text of SUBMITTED) expect(sent.includes(text), `${role}: ${text}`).toBe(mayRead);

      // A viewer does not get the link: it would let them continue as the subject.
      await open(page, `${LIST}/${waiting}`);
      const opened = await page.content();
      expect(opened.includes(link), role).toBe(mayRead);
      for (const act of ['withdraw', 'renew-link']) expect(opened.includes(`/${act}"`), act).toBe(mayRead);
      complaints.expectNone();
    }
  });
});

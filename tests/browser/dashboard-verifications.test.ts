// Creates and withdraws verifications in a browser, with scripts and without them.
import { dataOf } from '@countersign/test-support/api/api-client';
import { newVisitor, type Outfit, type Visitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, type Details, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, follow, press, rowOf } from '@countersign/test-support/browser/dashboard';
import { fillIn } from '@countersign/test-support/browser/fields';
import { leaving } from '@countersign/test-support/browser/leaving';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { slugOf, walk } from '@countersign/test-support/browser/walk';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { card } from '@countersign/test-support/pages/pictures';
import { newTeamMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { pressCopy } from './every-page/copying.ts';

const LIST = '/dashboard/verifications';

describeWith(['chromium'], 'a client’s verifications', () => {
  let site: CountersignSite;
  /** Agents of separate clients, created one after another: all at the same time, requests would time out. */
  const agents: (GivenApi & { readonly forms: StaffForms })[] = [];

  beforeAll(async () => {
    site = await startSite();
    for (let count = 0; count < 4; count++) {
      const client = await givenApi(site.server);
      agents.push({ ...client, forms: await newTeamMember(site.server, client.clientId, 'agent') });
    }
  });

  const pathOf = (page: Page) => page.url().slice(site.origin.length);
  const open = (page: Page, path: string) => page.goto(site.origin + path);

  /** Opens a browser as an unused agent. */
  async function givenAgent(outfit: Outfit = {}): Promise<GivenApi & Visitor & { readonly forms: StaffForms }> {
    const agent = agents.pop();
    if (agent === undefined) throw new Error('more tests than agents');
    return { ...agent, ...(await atTheDashboard(site, agent.forms, outfit)) };
  }

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
    expect(await page.locator('button[data-copy="verification-link"]').isVisible()).toBe(javaScript);
    if (!javaScript) return shown;
    await pressCopy(page, 'verification-link');
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(shown);
    return shown;
  }

  /** Measures the side of the page in a low window, after it alone was scrolled to its end. */
  async function sideInLowWindow(page: Page) {
    const before = page.viewportSize();
    await page.setViewportSize({ width: 1280, height: 400 });
    const side = await page.evaluate<{ isCut: boolean; fitsWindow: boolean; showsHistory: boolean }>(`(() => {
      const side = document.querySelector('.two-columns > aside');
      side.scrollTop = side.scrollHeight;
      const box = side.getBoundingClientRect();
      const history = side.querySelector('[aria-labelledby="history-title"]').getBoundingClientRect();
      return {
        isCut: side.scrollHeight > side.clientHeight,
        fitsWindow: box.height <= innerHeight,
        showsHistory: history.bottom <= box.bottom,
      };
    })()`);
    if (before !== null) await page.setViewportSize(before);
    return side;
  }

  /** Opens a link in another browser, as its subject does. */
  async function openAsSubject(link: string): Promise<Visitor & { readonly status: number | undefined }> {
    const visitor = await newVisitor(site.origin);
    const answer = await visitor.page.goto(link);
    return { ...visitor, status: answer?.status() };
  }

  /** Answers over plain forms, because pages in a browser take longer. */
  async function answerThreeSteps(link: string): Promise<void> {
    const picture = new Blob([await card('three steps')]);
    await (await openSubjectForms(link, 'kyc')).walk({ file: () => picture }, 'selfie');
  }

  describe.concurrent('managed by an agent', () => {
    it.each([true, false])('are created, sent, renewed and withdrawn (JavaScript: %s)', async (javaScript) => {
      const { page, context, api, complaints } = await givenAgent({ javaScript });
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
      await open(page, LIST);
      await follow(page, 'New verification');
      await createByHand(page, 'by hand');
      const [, id = ''] = /^\/dashboard\/verifications\/([^/?]+)\?done=created$/.exec(pathOf(page)) ?? [];
      const details = async () => dataOf(await api.get(`/verifications/${id}/details`)) as unknown as Details;
      expect(await details()).toMatchObject({ status: 'pending', metadata: { order: 17 } });

      const link = await takeLink(page, javaScript);
      const subject = await openAsSubject(link);
      await answerThreeSteps(link);
      await page.reload();
      expect(await wordsOf(page)).toContain('3 of 6 steps');
      expect(await sideInLowWindow(page)).toEqual({ isCut: true, fitsWindow: true, showsHistory: true });

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
      await walk(again.page, 'kyc', { until: 'selfie' });
      expect(slugOf(again.page)).toBe('selfie');

      await follow(page, /^Withdraw this verification/);
      await press(page, 'Yes, withdraw');
      expect(await wordsOf(page)).toMatch(
        /The verification is withdrawn[\s\S]*Withdrawn[\s\S]*Withdrawn by your team/,
      );
      expect(await page.locator('#verification-link').count()).toBe(0);
      expect(await details()).toMatchObject({
        status: 'rejected',
        resolvedAt: expect.any(String) as string,
        decision: { outcome: 'rejected', reasonCodes: ['withdrawn'] },
      });
      await again.page.goto(renewed);
      expect(await again.page.locator('a.main-action, #page-form').count()).toBe(0);
      await leaving(page, () => page.getByRole('main').getByRole('link', { name: 'Verifications' }).click());
      expect(await rowOf(page, 'by hand')).toContain('Withdrawn');
      for (const seen of [complaints, subject.complaints, again.complaints]) seen.expectNone();
    });
  });

  it('a moment shows its UTC time and the user’s local time on hover; without a script, only UTC', async () => {
    const { page: of, api, forms } = await givenAgent({ timeZone: 'Asia/Kolkata' });
    await api.post({ subjectType: 'kyc', subjectReference: 'hovered' });
    const hint = async (page: Page) => {
      await open(page, LIST);
      return page.locator('main tbody time').first().getAttribute('title');
    };
    expect(await hint(of)).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d UTC · \d+ \w+ \d{4}, \d\d:\d\d GMT\+5:30$/);

    const plain = await atTheDashboard(site, forms, { timeZone: 'Asia/Kolkata', javaScript: false });
    expect(await hint(plain.page)).toMatch(/UTC$/);
    const inUtc = await atTheDashboard(site, forms, { timeZone: 'UTC' });
    expect(await hint(inUtc.page)).toMatch(/UTC$/);
  });

  it('a link that gets the focus backwards is not behind the bar or the head of the table', async () => {
    const { page, api } = await givenAgent();
    for (let number = 1; number <= 25; number += 1)
      await api.post({ subjectType: 'kyc', subjectReference: `row_${number}` });
    await page.setViewportSize({ width: 768, height: 500 });
    await open(page, LIST);
    await page.locator('main tbody a').last().focus();
    for (let number = 24; number >= 1; number -= 1) {
      await page.keyboard.press('Shift+Tab');
      expect(await page.evaluate<string>(FOCUSED_ON_TOP), `row ${number}`).toBe('in sight');
    }
  });
});

/** Runs in the page. Tells what covers the upper edge of the focused link. */
const FOCUSED_ON_TOP = `(() => {
  const { activeElement } = document;
  const { left, top } = activeElement.getBoundingClientRect();
  const above = document.elementFromPoint(left + 8, top + 2);
  return activeElement.closest('th').contains(above) ? 'in sight' : 'behind ' + above.outerHTML;
})()`;

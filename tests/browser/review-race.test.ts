// Two browsers decide 50 cases, one page after the other.

import { shortReference } from '@countersign/domain';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { leaving } from '@countersign/test-support/browser/leaving';
import { givenStaff, newStaffVisitor } from '@countersign/test-support/browser/staff';
import { operate } from '@countersign/test-support/installation/operator';
import { rowsIn } from '@countersign/test-support/installation/rows-in';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { type CaseMaker, givenCaseMaker } from '../submitted-cases.ts';

const ROUNDS = 10;
/** One that both reviewers decide, and two for each of them. */
const CASES_A_ROUND = 5;

describeWith(['chromium'], 'two reviewers with a browser each', () => {
  let site: CountersignSite;
  let cases: CaseMaker;

  beforeAll(async () => {
    site = await startSite({ SECRET_KEYS: Buffer.from(SECRET_KEY).toString('base64') });
    cases = await givenCaseMaker(site.server, SECRET_KEY);
  });

  it('race over 50 cases: each is decided once, and the slower reviewer reads so beside the next case', async () => {
    const staff = [await givenStaff(site), await givenStaff(site)];
    const visitors = await Promise.all(staff.map((reviewer) => newStaffVisitor(site, reviewer)));
    const pages = visitors.map(({ page }) => page);
    const both = <T>(act: (page: Page, index: number) => Promise<T>) => Promise.all(pages.map(act));
    /** For each case, the reviewer to whom a page reported the approval. */
    const deciders = new Map<string, string>();

    async function decideTogether(): Promise<readonly string[]> {
      const ids = pages.map(caseIn);
      await both((page) => page.keyboard.press('a'));
      await both((page) => leaving(page, () => page.keyboard.press('Enter')));
      const results = await both((page) => page.getByRole('status').innerText());
      for (const [index, id] of ids.entries()) {
        if (!results[index]?.includes(`Approved: ${shortReference(id)}`)) continue;
        expect(deciders.has(id)).toBe(false);
        deciders.set(id, staff[index]?.id ?? '');
      }
      return results;
    }

    for (let round = 0; round < ROUNDS; round += 1) {
      for (let made = 0; made < CASES_A_ROUND; made += 1) await cases.submit();
      await both((page) => page.goto(`${site.origin}/review`));
      await both(async (page) => {
        await page.keyboard.press('j');
        await leaving(page, () => page.keyboard.press('Enter'));
      });

      const [contested = '', same] = pages.map(caseIn);
      expect(same).toBe(contested);
      const results = await decideTogether();
      const late = `${shortReference(contested)} had already been decided. Your decision was not saved.`;
      expect(results.filter((result) => result.includes(late))).toHaveLength(1);
      expect(deciders.has(contested)).toBe(true);
      // Each has claimed another case, and then another.
      expect(new Set(pages.map(caseIn)).size).toBe(2);
      await decideTogether();
      expect(new Set(pages.map(caseIn)).size).toBe(2);
      await decideTogether();
      expect(pages.map((page) => new URL(page.url()).pathname)).toEqual(['/review', '/review']);
    }

    expect(deciders.size).toBe(ROUNDS * CASES_A_ROUND);
    const lines = await operate(site.server, ({ auditLines }) => auditLines());
    const approvals = lines.filter(({ action }) => action === 'review.approve');
    const refused = new Set(approvals.map(({ detail }) => detail.of));
    const decisions = approvals.filter(({ outcome, sequence }) => outcome === 'allowed' && !refused.has(sequence));
    expect(decisions.map(({ targetId, actor }) => [targetId, actor.id]).toSorted()).toEqual(
      [...deciders].toSorted(),
    );
    const statuses = await rowsIn(site.server, 'SELECT status FROM verifications');
    expect(statuses).toEqual(Array.from(deciders, () => ({ status: 'approved' })));
    for (const { complaints } of visitors) complaints.expectNone();
  });
});

/** Returns the id of the case that the page shows. */
function caseIn(page: Page): string {
  return /\/review\/([^/]+)$/.exec(new URL(page.url()).pathname)?.[1] ?? '';
}

const SECRET_KEY = new Uint8Array(32).fill(7);

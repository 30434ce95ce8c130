// Restarts a server on an aged database, and measures each page at every width.
import { bringChecks, violationsOf } from '@countersign/test-support/browser/accessibility';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { siteOf } from '@countersign/test-support/browser/countersign-site';
import { layoutFaultsOf, openMeasuring } from '@countersign/test-support/browser/layout';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import { givenStaff, newStaffVisitor } from '@countersign/test-support/browser/staff';
import { change, rowsOf } from '@countersign/test-support/installation/database-file';
import { startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { describeWith } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';

const ABANDON = `
  UPDATE verifications SET requested_at = requested_at - 70 * 86400000, link_expires_at = link_expires_at - 70 * 86400000
  WHERE id = ?`;

describeWith(['chromium'], 'a verification that ended without a decision', () => {
  it('an expired or withdrawn one says so to the subject, the team and reviewers, on pages that keep their layout', async () => {
    const first = await startServer();
    const { dataDir, databaseFile } = first;
    const before = await siteOf(first, `http://localhost:${first.port}`);
    const { id, url } = await before.create('kyc');
    const withdrawn = await before.create('kyc');
    expect((await before.withdraw(withdrawn.id)).status).toBe(200);
    const [agent, reviewer] = [await givenStaff(before, 'client'), await givenStaff(before, 'reviewer')];
    await first.stop();
    change(databaseFile, ABANDON, id);

    const { port } = await startServer({ dataDir });
    const ended = "SELECT id FROM verifications WHERE status = 'rejected'";
    await until(() => rowsOf(databaseFile, ended).length === 2);
    const origin = `http://localhost:${port}`;

    for (const [link, locale, title] of [
      [url, 'en-GB', 'This verification was closed'],
      [url, 'de-DE', 'Diese Prüfung wurde beendet'],
      [withdrawn.url, 'de-DE', 'Diese Prüfung wird nicht mehr gebraucht'],
    ] as const) {
      const { page, context, complaints } = await newVisitor(origin, { locale });
      await bringChecks(page);
      await page.goto(link.replace(before.origin, origin));
      expect(await page.locator('h1').innerText()).toBe(title);
      expect(await page.locator('a.main-action, #page-form').count()).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
      expect(await layoutFaultsOf(page, await openMeasuring(context, origin))).toEqual([]);
      complaints.expectNone();
    }

    for (const [staff, path, words] of [
      [agent, `/dashboard/verifications/${id}`, 'Closed, because it was not completed in time'],
      [reviewer, `/review/${id}`, 'Closed before a decision, because it was not completed in time.'],
      [agent, `/dashboard/verifications/${withdrawn.id}`, 'Withdrawn'],
      [reviewer, `/review/${withdrawn.id}`, 'Withdrawn'],
    ] as const) {
      const cookies = staff.cookies.map((cookie) => ({ ...cookie, url: origin }));
      const { page, context, complaints } = await newStaffVisitor({ origin }, { ...staff, cookies });
      await bringChecks(page);
      await page.goto(origin + path);
      expect(await wordsOf(page)).toContain(words);
      expect(await violationsOf(page)).toEqual([]);
      expect(await layoutFaultsOf(page, await openMeasuring(context, origin))).toEqual([]);
      complaints.expectNone();
    }
  });
});

import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { decide, fillIn, goOn, wordsOf } from '@countersign/test-support/browser/review-console';
import { cookieOf, givenStaff, newStaffVisitor, type Staff } from '@countersign/test-support/browser/staff';
import { describeWith } from '@countersign/test-support/servers';
import { beforeAll, expect, it } from 'vitest';

describeWith(['chromium'], 'two reviewers of one verification', () => {
  let site: CountersignSite;
  let reviewer: Staff;
  let rival: Staff;

  beforeAll(async () => {
    site = await startSite();
    [reviewer, rival] = [await givenStaff(site), await givenStaff(site)];
  });

  /** Opens a case in both reviewers' browsers. */
  async function bothAt(id: string) {
    const visitors = [await newStaffVisitor(site, reviewer), await newStaffVisitor(site, rival)] as const;
    for (const { page } of visitors) await page.goto(`${site.origin}/review/${id}`);
    return visitors;
  }

  it('a second decision changes nothing, names the first reviewer and keeps the typed text', async () => {
    const { id } = await site.createAnswered('kyc');
    const [first, second] = await bothAt(id);
    const part = await fillIn(second.page, 'reject', [
      ['reasonCodes', 'selfie_mismatch'],
      ['message', 'Nobody we know'],
      ['internalNote', 'Ears are different'],
    ]);

    await decide(first.page, 'approve');
    await goOn(part);

    const text = await wordsOf(second.page);
    expect(await second.page.locator('[role=alert]').innerText()).toMatch(/^Nothing was decided/);
    expect(text).toContain(`Approved by ${reviewer.name}`);
    expect(text).toContain('It is now: Approved.');
    // The form is gone, but the page keeps the typed text.
    const kept = await second.page.locator('.typed-in-vain').innerText();
    for (const words of ['Selfie does not match the document', 'Nobody we know', 'Ears are different']) {
      expect(kept).toContain(words);
    }
    const { status, decision, history } = await site.details(id);
    expect(status).toBe('approved');
    expect(decision).toMatchObject({ outcome: 'approved', reasonCodes: [], message: null });
    expect(history.map((entry) => entry.status)).toEqual(['pending', 'submitted', 'approved']);
    first.complaints.expectNone();
    second.complaints.expectNone();
  });

  it('a claim blocks the other reviewer until they release it; the history names both', async () => {
    const { id } = await site.createAnswered('kyc');
    const [holder, other] = await bothAt(id);
    const part = await fillIn(other.page, 'ask', [
      ['steps', 'document'],
      ['document.reasonCode', 'document_glare'],
      ['document.note', 'Try it at a window'],
    ]);

    await holder.page.getByRole('button', { name: 'Claim this case' }).click();
    await holder.page.getByText('You have claimed this case.').first().waitFor();
    await goOn(part);
    expect(await wordsOf(other.page)).toContain(`${reviewer.name} claimed this case at`);
    expect(await other.page.locator('.typed-in-vain').innerText()).toContain('Try it at a window');
    expect(await site.details(id)).toMatchObject({ status: 'submitted', actionNeeded: null });
    expect(await other.page.locator('#act-approve').count()).toBe(0);

    await other.page.getByRole('button', { name: `Release the claim of ${reviewer.name}` }).click();
    await other.page.getByText('The claim is released.').waitFor();
    const events = await other.page.locator('.events').last().innerText();
    expect(events).toContain(`Claimed by ${reviewer.name}`);
    expect(events).toContain(`Claim released by ${rival.name}`);
    await decide(other.page, 'approve');
    expect((await site.details(id)).status).toBe('approved');

    // The client does not see claims.
    expect((await site.details(id)).history.map(({ status }) => status)).toEqual([
      'pending',
      'submitted',
      'approved',
    ]);
    holder.complaints.expectNone();
    other.complaints.expectNone();
  });

  it('a form on another origin decides nothing, although the browser sends the session cookie', async () => {
    const { id } = await site.createAnswered('kyc');
    const { page, context } = await newStaffVisitor(site, reviewer);
    await page.goto(`${site.origin}/review/${id}`);
    const version = await page.locator('#act-approve [name=expectedVersion]').inputValue();
    // Browsers treat another port as the same site and send cookies.
    const elsewhere = 'http://localhost:47110/';
    const form = `<form method="post" action="${site.origin}/review/${id}/approve">
      <input name="expectedVersion" value="${version}"><button name="confirmed" value="yes">Win a car</button></form>`;
    await context.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body: form }));
    await page.goto(elsewhere);

    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(site.origin)),
      page.getByRole('button').click(),
    ]);

    expect(answer.status()).toBe(403);
    expect(await answer.request().headerValue('Cookie')).toContain('session_token');
    const forge = (headers: Record<string, string>) =>
      fetch(`${site.origin}/review/${id}/approve`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: cookieOf(reviewer), ...headers },
        body: new URLSearchParams({ expectedVersion: version, confirmed: 'yes' }),
      });
    for (const headers of [
      {},
      { Origin: 'null' },
      { Origin: 'http://localhost:47110' },
      { Origin: `${site.origin}.evil.example` },
      { Origin: site.origin, 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      expect((await forge(headers)).status, JSON.stringify(headers)).toBe(403);
    }
    expect((await site.details(id)).status).toBe('submitted');
    // The same request is accepted from the service's own origin.
    expect((await forge({ Origin: site.origin })).status).toBe(303);
    expect((await site.details(id)).status).toBe('approved');
  });
});

// Sends forms in a browser, which alone sets the headers that say from where a form comes.
import { startSite } from '@countersign/test-support/browser/countersign-site';
import { cookieOf, givenStaff, newStaffVisitor } from '@countersign/test-support/browser/staff';
import { describeWith } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';

describeWith(['chromium'], 'a reviewer who is signed in', () => {
  it('a form on another origin decides nothing, although the browser sends the session cookie', async () => {
    const site = await startSite();
    const reviewer = await givenStaff(site);
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

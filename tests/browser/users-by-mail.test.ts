// Opens links of mails in browsers of several users.
import { createReaders, inBothLanguages } from '@countersign/test-support/browser/both-languages';
import { newVisitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { atTheDashboard, follow, press } from '@countersign/test-support/browser/dashboard';
import { wordsOf } from '@countersign/test-support/browser/review-console';
import {
  enterCode,
  setPassword,
  setUpSecondFactor,
  signIn,
  signOut,
} from '@countersign/test-support/browser/sign-in';
import { newStaff, newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { until } from '@countersign/test-support/processes/until';
import { describeWith } from '@countersign/test-support/servers';
import { startMailServer, type TestMailServer } from '@countersign/test-support/servers/mail-server';
import { expect, it } from 'vitest';

const EMAIL = 'zoe@example.org';
const NEW_PASSWORD = 'nine kettles beside the canal';
const ENDED = 'This link no longer works';

/** Waits for the `count`th mail and returns the link in it, which is in both forms of its text. */
async function linkIn(mails: TestMailServer, site: CountersignSite, count: number): Promise<string> {
  await until(() => mails.received.length >= count);
  const mail = mails.received[count - 1];
  expect(mail?.to).toEqual([EMAIL]);
  const link = /^http\S+$/m.exec(mail?.parsed.text ?? '')?.[0] ?? '';
  expect(mail?.parsed.html).toContain(`href="${link}"`);
  expect(link.startsWith(`${site.origin}/account/`)).toBe(true);
  return link;
}

describeWith(['chromium'], 'users who receive mail', () => {
  it('join by an invitation, replace a forgotten password and remove a lost second factor by the links that they receive', async () => {
    const mails = await startMailServer();
    const site = await startSite({
      SMTP_URL: `smtp://localhost:${mails.port}`,
      MAIL_FROM: 'Countersign <no-reply@verify.example>',
      TRUST_PROXY: '1',
    });
    const pathOf = (link: string) => link.slice(site.origin.length);
    // The short run looks at the German pages; the visitors below read the English ones.
    const reader = inBothLanguages(site.origin, await createReaders(site.origin).of('de'));
    /** Checks a page, without following what it offers. */
    const look = (path: string, status = 200) => reader.look(path, status);

    const owner = await newTeamMember(site.server, site.clientId);
    await owner.confirm();
    const dashboard = await atTheDashboard(site, owner);
    await dashboard.page.goto(`${site.origin}/dashboard/team`);
    await follow(dashboard.page, 'Invite a user');
    expect(await wordsOf(dashboard.page)).toContain('The user receives an e-mail with a one-time link.');
    await dashboard.page.getByLabel('E-mail').fill(EMAIL);
    await dashboard.page.getByLabel('Name').fill('Zoë');
    await press(dashboard.page, 'Create the invitation');
    expect(await wordsOf(dashboard.page)).toContain('The invitation will be sent by e-mail.');
    expect(await wordsOf(dashboard.page)).toContain(EMAIL);

    const invitation = await linkIn(mails, site, 1);
    await look(pathOf(invitation));
    const { page, complaints } = await newVisitor(site.origin, { screen: 'desktop' });
    await page.goto(invitation);
    expect(await page.locator('h1').innerText()).toBe('Welcome, Zoë');
    await setPassword(page);
    expect(pathOf(page.url())).toBe('/dashboard');

    const forgetful = await newVisitor(site.origin, { screen: 'desktop' });
    await look('/account/forgot-password');
    const answers: string[] = [];
    for (const email of ['unknown@example.org', EMAIL]) {
      await forgetful.page.goto(`${site.origin}/account/sign-in`);
      await follow(forgetful.page, 'Forgot your password?');
      await forgetful.page.getByLabel('E-mail').fill(email);
      await press(forgetful.page, 'Send the link');
      answers.push(await forgetful.page.content());
    }
    expect(await wordsOf(forgetful.page)).toContain('If this address has an account, you will receive an e-mail');
    expect(answers[0]).toBe(answers[1]);
    await look('/account/sign-in?done=requested');

    const reset = await linkIn(mails, site, 2);
    await look(pathOf(reset));
    await forgetful.page.goto(reset);
    expect(await forgetful.page.locator('h1').innerText()).toBe('Choose a new password');
    await setPassword(forgetful.page, NEW_PASSWORD);
    expect(pathOf(forgetful.page.url())).toBe('/dashboard');
    await page.goto(`${site.origin}/dashboard`);
    expect(pathOf(page.url())).toContain('/account/sign-in');
    for (const used of [invitation, reset]) {
      expect((await page.goto(used))?.status()).toBe(410);
      expect(await page.locator('h1').innerText()).toBe(ENDED);
    }

    await page.goto(`${site.origin}/account/sign-in?returnTo=%2Faccount%2Fsecurity`);
    await signIn(page, EMAIL, NEW_PASSWORD);
    const factor = await setUpSecondFactor(page, NEW_PASSWORD);
    await page.goto(`${site.origin}/dashboard`);
    const operator = await newStaff(site.server, 'operator');
    await operator.confirm();
    const administration = await atTheDashboard(site, operator);
    await administration.page.goto(`${site.origin}/admin/users?email=${EMAIL}`);
    await follow(administration.page, 'Zoë');
    await follow(administration.page, 'Reset the second factor');
    expect(await wordsOf(administration.page)).toContain('Nothing changes until then.');
    await press(administration.page, 'Reset the second factor');
    expect(await wordsOf(administration.page)).toContain(
      'The link that removes the second factor will be sent by e-mail.',
    );
    const lost = await linkIn(mails, site, 3);
    await look(pathOf(lost));
    await page.goto(`${site.origin}/dashboard`);
    expect(pathOf(page.url())).toBe('/dashboard');
    await signOut(page);
    await signIn(page, EMAIL, NEW_PASSWORD);
    await enterCode(page, factor.code());
    expect(pathOf(page.url())).toBe('/dashboard');

    await forgetful.page.goto(lost);
    await forgetful.page.getByLabel('Your password').fill('not the password at all');
    await press(forgetful.page, 'Remove the second factor');
    expect(await wordsOf(forgetful.page)).toContain('The password is wrong');
    await forgetful.page.getByLabel('Your password').fill(NEW_PASSWORD);
    await press(forgetful.page, 'Remove the second factor');
    expect(await wordsOf(forgetful.page)).toContain('The second factor is removed.');
    await look('/account/sign-in?done=factor_removed');
    await signIn(forgetful.page, EMAIL, NEW_PASSWORD);
    expect(pathOf(forgetful.page.url())).toBe('/dashboard');
    await page.goto(`${site.origin}/dashboard`);
    expect(pathOf(page.url())).toContain('/account/sign-in');
    await look(pathOf(lost), 410);

    expect(mails.received.map(({ to }) => to)).toEqual([[EMAIL], [EMAIL], [EMAIL]]);
    reader.expectNothingWrong();
    for (const each of [dashboard, administration, forgetful]) each.complaints.expectNone();
    complaints.expectNone();
    const { stdout, stderr } = await site.server.stop();
    for (const link of [invitation, reset, lost]) {
      const token = link.slice(link.lastIndexOf('/') + 1);
      expect(`${stdout}${stderr}`).not.toContain(token);
    }
    expect(`${stdout}${stderr}`).not.toContain('zoe');
  });
});

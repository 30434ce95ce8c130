// Seven reviews by keyboard: only a browser moves a focus.
import { shortReference } from '@countersign/domain';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { press, tabTo, typeInto } from '@countersign/test-support/browser/keyboard';
import { givenStaff, newStaffVisitor, type Staff } from '@countersign/test-support/browser/staff';
import { operate } from '@countersign/test-support/installation/operator';
import { card } from '@countersign/test-support/pages/pictures';
import { newMember } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { describeWith } from '@countersign/test-support/servers';
import { beforeAll, describe, expect, it } from 'vitest';

describeWith(['chromium'], 'a reviewer without a mouse', () => {
  let site: CountersignSite;
  let reviewer: Staff;

  beforeAll(async () => {
    site = await startSite();
    reviewer = await givenStaff(site);
  });

  describe('decides a case', () => {
    it('decides a case without JavaScript, with Tab, Enter and the space bar', async () => {
      const { id } = await site.createAnswered('kyc');
      const { page, complaints } = await newStaffVisitor(site, reviewer, { javaScript: false });
      await page.goto(`${site.origin}/review`);

      await press(page, page.locator(`[data-case][href$="${id}"]`), 'Enter');
      await press(page, page.getByRole('link', { name: 'Skip to the decision' }), 'Enter');
      const part = page.locator('#act-reject');
      await press(page, part.locator('> summary'), 'Enter');
      await press(page, part.getByLabel('13 · Other'), 'Space');
      await press(page, part.getByRole('button', { name: 'Continue' }), 'Enter');
      // The error comes first on the page, and links to its field.
      const problem = page.getByRole('link', { name: /^Write a message/ });
      await problem.waitFor();
      await press(page, problem, 'Enter');
      await typeInto(page, part.getByLabel('Message to the client'), 'Not a person');
      await press(page, part.getByRole('button', { name: 'Continue' }), 'Enter');
      expect(await site.details(id)).toMatchObject({ status: 'submitted' });
      // The page that asks to confirm shows the picture beside what the client will read.
      await part.getByText('What the client reads as well').waitFor();
      expect(await page.locator('.view:visible img').isVisible()).toBe(true);
      await press(page, part.locator('[data-yes]'), 'Enter');
      await page.getByText('Rejected: ').waitFor();

      expect((await site.details(id)).decision).toMatchObject({
        outcome: 'rejected',
        reasonCodes: ['other'],
        message: 'Not a person',
      });
      complaints.expectNone();
    });

    it('decides a case with JavaScript, with single-key shortcuts too', async () => {
      const { id } = await site.createAnswered('kyc');
      const { page, complaints } = await newStaffVisitor(site, reviewer);
      await page.goto(`${site.origin}/review`);

      const link = page.locator(`[data-case][href$="${id}"]`);
      for (let tries = 0; (await link.and(page.locator(':focus')).count()) === 0; tries++) {
        expect(tries).toBeLessThan(10);
        await page.keyboard.press('j');
      }
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/review\/[^/]+$/);
      await page.keyboard.press('?');
      expect(await page.getByRole('dialog').isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      await page.keyboard.press('c');
      const part = page.locator('#act-ask');
      await press(page, part.getByLabel('Identity document: ask again'), 'Space');
      await page.keyboard.press('2');
      // In a text field, the shortcuts x, a, q and ? only type characters.
      await typeInto(page, part.locator('[name="ask.document.note"]'), 'x a q?');
      await press(page, part.getByRole('button', { name: 'Continue' }), 'Enter');
      expect(await part.locator('.preview').innerText()).toContain('x a q?');
      await page.keyboard.press('Enter');
      await page.getByText('Asked for action: ').waitFor();

      expect((await site.details(id)).actionNeeded?.items).toEqual([
        { step: 'document', reasonCode: 'document_glare', note: 'x a q?' },
      ]);
      // The result has the focus, so that screen readers announce it; the case is one tab stop further.
      await tabTo(page, page.getByRole('link', { name: 'View' }));
      complaints.expectNone();
    });
  });

  describe('inserts a template', () => {
    const ask = [
      { name: 'Blurred', en: 'Please take it again.' },
      { name: 'Dunkel', de: 'Bitte mit Licht.' },
    ];
    beforeAll(() => operate(site.server, ({ clients }) => clients.setReasonTemplates(site.clientId, { ask })));

    it('inserts a template without JavaScript: the form comes back with the text and all that was typed', async () => {
      const { id } = await site.createAnswered('kyc');
      const { page, complaints } = await newStaffVisitor(site, reviewer, { javaScript: false });
      await page.goto(`${site.origin}/review/${id}#decision`);
      const part = page.locator('#act-ask');
      await press(page, part.locator('> summary'), 'Enter');
      await press(page, part.getByLabel('Selfie: ask again'), 'Space');
      await typeInto(page, part.getByLabel('Insert a template'), 'Dunkel (only in German)');
      await press(page, part.getByRole('button', { name: 'Insert' }), 'Enter');

      const message = part.getByLabel('Message to the subject');
      await expect.poll(() => message.inputValue()).toBe('Bitte mit Licht.');
      expect(await part.getByLabel('Selfie: ask again').isChecked()).toBe(true);
      // Enter in the form does not insert again: it continues, which names what is missing.
      await press(page, part.getByLabel('Selfie: ask again'), 'Enter');
      await page.getByRole('link', { name: /^Selfie: choose a reason/i }).waitFor();
      expect(await message.inputValue()).toBe('Bitte mit Licht.');
      expect((await site.details(id)).status).toBe('submitted');
      complaints.expectNone();
    });

    it('inserts a template in place with JavaScript: a choice replaces the one before and keeps what was typed', async () => {
      const { id } = await site.createAnswered('kyc');
      const { page, complaints } = await newStaffVisitor(site, reviewer);
      await page.goto(`${site.origin}/review/${id}`);
      await page.keyboard.press('c');
      const part = page.locator('#act-ask');
      const message = part.getByLabel('Message to the subject');
      await typeInto(page, message, 'Dear Ada,');
      expect(await part.getByRole('button', { name: 'Insert' }).isVisible()).toBe(false);
      await typeInto(page, part.getByLabel('Insert a template'), 'Dunkel (only in German)');
      expect(await message.inputValue()).toBe('Dear Ada,\n\nBitte mit Licht.');
      await page.keyboard.press('ArrowUp');
      expect(await message.inputValue()).toBe('Dear Ada,\n\nPlease take it again.');
      expect((await site.details(id)).status).toBe('submitted');
      complaints.expectNone();
    });
  });

  it('a reviewer without a mouse filters the cases that were submitted again or have warnings, and starts with one of them', async () => {
    const { id, url } = await site.createAnswered('kyc');
    const colleague = await newMember(site.server, { role: 'reviewer' });
    await colleague.act(id, 'ask', { 'ask.steps': 'selfie', 'ask.selfie.reasonCode': 'selfie_unclear' });
    const selfie = new Blob([await card('again')], { type: 'image/jpeg' });
    await (await openSubjectForms(url, 'kyc')).walk({ file: () => selfie });
    // The case came back to the colleague who had asked for it.
    await colleague.act(id, 'release');
    const { page, complaints } = await newStaffVisitor(site, reviewer, { javaScript: false });
    await page.goto(`${site.origin}/review`);

    const filter = page.locator('select[name="only"]');
    await typeInto(page, filter, 'Warned');
    await press(page, page.getByRole('button', { name: 'Show', exact: true }), 'Enter');
    await page.waitForURL(/[?&]only=warned/);
    expect(await page.locator(`[data-case][href*="${id}"]`).count()).toBe(0);
    await typeInto(page, filter, 'Resubmitted');
    await press(page, page.getByRole('button', { name: 'Show', exact: true }), 'Enter');
    await page.waitForURL(/[?&]only=resubmitted/);
    expect(
      await page
        .locator('[data-case]')
        .evaluateAll((links: { href: string }[]) => links.map(({ href }) => new URL(href).pathname)),
    ).toEqual([`/review/${id}`]);
    expect(await page.locator('.queue tbody tr').innerText()).toContain('Resubmitted');
    await press(page, page.getByRole('button', { name: 'Start reviewing' }), 'Enter');
    await page.waitForURL(new RegExp(`/review/${id}[?]only=resubmitted`));
    complaints.expectNone();
  });

  describe('searches for a case', () => {
    it('searches by name from the queue with the key /, opens the result, and comes back to it', async () => {
      const { id } = await site.createAnswered('kyc');
      const { page, complaints } = await newStaffVisitor(site, reviewer);
      await page.goto(`${site.origin}/review`);

      await page.keyboard.press('/');
      await page.keyboard.type('Zoë Núñez-Ødegård');
      await page.keyboard.press('Tab');
      await page.keyboard.type('03271987');
      await page.keyboard.press('Enter');
      const found = page.locator(`[data-case][href$="${id}"]`);
      await found.waitFor();
      expect(page.url()).toBe(`${site.origin}/review/search`);
      await page.reload();
      await found.waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`/review/${id}$`));
      await page.goBack();
      await found.waitFor();
      complaints.expectNone();
    });

    it('searches without JavaScript by the reference, with Tab and Enter', async () => {
      const { id } = await site.createAnswered('kyc');
      const { page, complaints } = await newStaffVisitor(site, reviewer, { javaScript: false });
      await page.goto(`${site.origin}/review`);
      await typeInto(page, page.getByRole('textbox', { name: /^Reference/ }), shortReference(id));
      await page.keyboard.press('Enter');
      await press(page, page.locator(`[data-case][href$="${id}"]`), 'Enter');
      await page.waitForURL(new RegExp(`/review/${id}$`));
      complaints.expectNone();
    });
  });

  it('a reviewer without a mouse can turn off single-key shortcuts', async () => {
    const { page, complaints } = await newStaffVisitor(site, reviewer);
    await page.goto(`${site.origin}/review/keys`);

    await press(page, page.getByRole('button', { name: 'Turn them off' }), 'Enter');
    await page.getByText('Single-key shortcuts are off.').waitFor();

    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    complaints.expectNone();
  });
});

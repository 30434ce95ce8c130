// The reviewer's journey in a browser, from the queue to the decision that the subject sees.
import { newVisitor } from '@countersign/test-support/browser/browser';
import { type CountersignSite, startSite } from '@countersign/test-support/browser/countersign-site';
import { leaving } from '@countersign/test-support/browser/leaving';
import { decide, fillIn, goOn, wordsOf } from '@countersign/test-support/browser/review-console';
import { givenStaff, newStaffVisitor, type Staff } from '@countersign/test-support/browser/staff';
import { send, sendFile, slugOf, useFile, walk } from '@countersign/test-support/browser/walk';
import { card } from '@countersign/test-support/pages/pictures';
import { describeWith } from '@countersign/test-support/servers';
import { beforeAll, describe, expect, it } from 'vitest';

const NOTE = 'The town is missing on the letter';
const MESSAGE = 'Nearly there, thank you';
/** A word that occurs only in internal notes: it must never leave the console. */
const SECRET = 'kumquat';

describeWith(['chromium'], 'a reviewer', () => {
  let site: CountersignSite;
  let reviewer: Staff;

  beforeAll(async () => {
    site = await startSite();
    reviewer = await givenStaff(site);
  });

  async function atCase(id: string) {
    const visitor = await newStaffVisitor(site, reviewer);
    await visitor.page.goto(`${site.origin}/review/${id}`);
    return visitor;
  }

  describe('decides a case:', () => {
    it('asks for action, the subject answers only that, and the reviewer approves', async () => {
      const { id, url } = await site.createAnswered('kyc');
      const visitor = await atCase(id);

      await decide(visitor.page, 'ask', [
        ['steps', 'address'],
        ['address.reasonCode', 'address_unproven'],
        ['address.note', NOTE],
        ['steps', 'selfie'],
        ['selfie.reasonCode', 'selfie_unclear'],
        ['message', MESSAGE],
        ['internalNote', `${SECRET}: look at the next one closely`],
      ]);

      await visitor.page.goto(`${site.origin}/review/${id}`);
      expect(await wordsOf(visitor.page)).toContain(SECRET);
      const asked = await site.details(id);
      expect(asked).toMatchObject({
        status: 'action_needed',
        // Counts the steps before the first requested one.
        currentStep: 3,
        resolvedAt: null,
        decision: null,
        actionNeeded: {
          message: MESSAGE,
          items: [
            { step: 'selfie', reasonCode: 'selfie_unclear', note: null },
            { step: 'address', reasonCode: 'address_unproven', note: NOTE },
          ],
        },
      });
      const open = asked.steps.filter(({ status }) => status === 'action_needed');
      expect(open.map(({ key }) => key)).toEqual(['selfie', 'address']);
      expect(JSON.stringify(asked)).not.toContain(SECRET);

      const subject = await newVisitor(site.origin);
      await subject.page.goto(url);
      const text = await wordsOf(subject.page);
      for (const words of [
        MESSAGE,
        'We could not confirm your address. Please check it and send proof.',
        NOTE,
        'We could not see your face clearly. Please send another picture.',
      ]) {
        expect(text).toContain(words);
      }
      expect(await subject.page.content()).not.toContain(SECRET);
      expect(await subject.page.locator('.requests h2').allInnerTexts()).toEqual([
        'Picture of your face',
        'Your address',
      ]);
      for (const closed of ['consent', 'details', 'document', 'document-front']) {
        await subject.page.goto(`${site.origin}/verify/${id}/${closed}`);
        expect(await subject.page.locator('h1').innerText()).toBe('You cannot open this page now');
      }
      const forced = await subject.context.request.post(`${site.origin}/verify/${id}/details`, {
        headers: { Origin: site.origin },
        form: { firstName: 'Somebody', lastName: 'Else' },
        maxRedirects: 0,
      });
      expect(forced.status()).toBe(409);
      expect((await site.details(id)).submittedData.person).toEqual(asked.submittedData.person);

      await subject.page.goto(`${site.origin}/verify/${id}`);
      await walk(subject.page, 'kyc', {
        until: 'selfie',
        onPage: async () => expect(await subject.page.content()).not.toContain(SECRET),
      });
      // The page shows the earlier picture beside the reason.
      expect(await subject.page.locator('.notice .answer-picture').isVisible()).toBe(true);
      await sendFile(subject.page, await card('another selfie'));
      await useFile(subject.page);
      expect(await site.currentStep(id)).toBe(4);
      await walk(subject.page, 'kyc', {
        until: 'check',
        onPage: async () => {
          expect(await wordsOf(subject.page)).toContain(NOTE);
          expect(await subject.page.content()).not.toContain(SECRET);
        },
      });
      expect(slugOf(subject.page)).toBe('check');
      await send(subject.page);
      expect(await wordsOf(subject.page)).toContain('Thank you, we have received everything');

      const again = await site.details(id);
      expect(again).toMatchObject({
        status: 'submitted',
        currentStep: 6,
        resolvedAt: null,
        actionNeeded: null,
        decision: null,
      });
      // The replaced one is for the reviewer only.
      expect(again.documents.filter(({ kind }) => kind === 'selfie')).toHaveLength(1);
      await visitor.page.goto(`${site.origin}/review/${id}`);
      expect(await wordsOf(visitor.page)).toContain('Earlier value');
      await decide(visitor.page, 'approve', [['internalNote', `${SECRET}: all well`]]);

      const approved = await site.details(id);
      expect(approved).toMatchObject({
        status: 'approved',
        currentStep: 6,
        actionNeeded: null,
        decision: { outcome: 'approved', reasonCodes: [], message: null },
      });
      expect(approved.resolvedAt).toBe(approved.history.at(-1)?.at);
      expect(approved.history.map(({ status, actor }) => [status, actor])).toEqual([
        ['pending', 'client'],
        ['submitted', 'subject'],
        ['action_needed', 'reviewer'],
        ['submitted', 'subject'],
        ['approved', 'reviewer'],
      ]);
      expect(JSON.stringify(approved)).not.toContain(SECRET);
      await subject.page.goto(approved.verificationUrl);
      expect(await subject.page.content()).not.toContain(SECRET);
      visitor.complaints.expectNone();
      subject.complaints.expectNone();
    });

    it('rejects for suspected fraud, which the client sees and the subject never does', async () => {
      const { id, url } = await site.createAnswered('kyb');
      const visitor = await atCase(id);
      // The extract is a PDF: the console shows its drawn pages and offers the original for download.
      await visitor.page.locator('.film').getByText('Registration extract').first().click();
      const [saved] = await Promise.all([
        visitor.page.waitForEvent('download'),
        visitor.page
          .locator('#pictures')
          .getByRole('link', { name: /^Registration extract: download/ })
          .first()
          .click(),
      ]);
      expect(saved.suggestedFilename()).toMatch(/\.pdf$/);

      // Subjects see the reasons of a request, so suspected fraud is not among them.
      expect(await visitor.page.locator('#act-ask [value=suspected_fraud]').count()).toBe(0);
      const part = await fillIn(visitor.page, 'reject', [['internalNote', SECRET]]);
      await leaving(visitor.page, () => goOn(part));
      expect(await wordsOf(visitor.page)).toContain('Choose at least one reason');
      expect(await site.details(id)).toMatchObject({ status: 'submitted', decision: null });
      await decide(visitor.page, 'reject', [
        ['reasonCodes', 'suspected_fraud'],
        ['reasonCodes', 'data_mismatch'],
        ['message', 'The register knows another director'],
      ]);

      const rejected = await site.details(id);
      expect(rejected).toMatchObject({
        status: 'rejected',
        currentStep: 7,
        actionNeeded: null,
        decision: {
          outcome: 'rejected',
          reasonCodes: ['data_mismatch', 'suspected_fraud'],
          message: 'The register knows another director',
        },
      });
      expect(rejected.resolvedAt).toBe(rejected.history.at(-1)?.at);
      expect(rejected.history.map(({ status }) => status)).toEqual(['pending', 'submitted', 'rejected']);
      expect(JSON.stringify(rejected)).not.toContain(SECRET);

      for (const locale of ['en-GB', 'de-DE']) {
        const subject = await newVisitor(site.origin, { locale });
        const answer = await subject.page.goto(url);
        expect(answer?.status()).toBe(200);
        expect(await subject.page.content()).not.toMatch(/fraud|betrug|verdacht|suspect|data_mismatch|kumquat/i);
        expect(await subject.page.content()).not.toContain('another director');
        subject.complaints.expectNone();
      }
      visitor.complaints.expectNone();
    });
  });
});

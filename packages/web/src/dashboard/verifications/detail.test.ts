import { shortReference } from '@countersign/domain';
import { beforeEach, describe, expect, it } from 'vitest';
import { ADA, AGNES, type GivenTeam, givenTeam, OTTO, VIC } from '../../../test-support/client-team.ts';

const LIST = '/dashboard/verifications';
const LINK_LIFETIME_MS = 30 * 86_400_000;
let given: GivenTeam;

beforeEach(async () => {
  given = await givenTeam();
});

const page = (id: string, as: string = ADA) => given.get(`${LIST}/${id}`, as);

describe('the page of a verification', () => {
  it('shows the link to send, when it stops, and a button that copies it', async () => {
    const id = await given.pending();
    const { verificationUrl } = await given.countersign.verifications.get(given.principal, id);
    const { text, words } = await page(id);
    expect(text).toContain(`value="${verificationUrl}"`);
    expect(text).toContain('data-copy="verification-link"');
    expect(text).toMatch(/<script type="module" src="[^"]+\/copy\.js">/);
    expect(words).toContain('It works until');
    expect(words).toContain('Waiting for subject');
    expect(words).toContain('Created by your team or your API key');
  });

  it('the page of a verification does not offer a link that has expired, but a new one', async () => {
    const id = await given.pending();
    given.ports.clock.advance(LINK_LIFETIME_MS);
    const { text, words } = await page(id);
    expect(words).toContain('This link has expired.');
    expect(words).toContain('Renew the link');
    expect(text).not.toContain('verification-link');
  });

  it('the page of a verification does not show a link that expired after submission', async () => {
    const id = await given.submitted();
    expect((await page(id)).text).toContain('verification-link');
    given.ports.clock.advance(LINK_LIFETIME_MS);
    expect((await page(id)).words).not.toContain('Link for the subject');
  });

  it('shows submitted data in readable rows, documents and steps to those who may read them', async () => {
    const id = await given.submitted({ answers: { person: { firstName: 'Zoë <b>' } } });
    for (const as of [ADA, AGNES]) {
      const { words } = await page(id, as);
      expect(words).toContain('First name Zoë <b>');
      expect(words).toMatch(/Front Document, front \(\d/);
      expect(words).toMatch(/Selfie (JPEG|PNG|WebP) · \d/);
      expect(words).toContain('Submitted by the subject');
      expect(words).toMatch(/Consent Completed \d/);
    }
    expect(await given.auditLines()).toEqual(['verifications.read allowed', 'verifications.read allowed']);
  });

  it('shows a viewer the status, without submitted data and without the link', async () => {
    const id = await given.submitted({ answers: { person: { firstName: 'Zoë' } } });
    const pending = await given.pending();
    const { words, text } = await page(id, VIC);
    expect(words).toContain('Your role does not include submitted data.');
    expect(words).toContain('To review');
    expect(text).not.toContain('Zoë');
    expect(words).not.toContain('JPEG');
    expect(words).not.toContain('Withdraw');
    for (const shown of [text, (await page(pending, VIC)).text]) expect(shown).not.toContain('/verify/');
  });

  it('shows what a reviewer asked for, with notes, and that it waits for the subject again', async () => {
    const id = await given.submitted();
    await given.act(id, 'ask', {
      'ask.steps': ['selfie'],
      'ask.selfie.reasonCode': 'selfie_unclear',
      'ask.selfie.note': 'Please take off your hat <i>',
      'ask.internalNote': 'internal only',
      confirmed: 'yes',
    });
    const { words } = await page(id);
    expect(words).toContain('Verification Action needed');
    expect(words).toContain('Selfie : Selfie is not clear Please take off your hat <i>');
    expect(words).toContain('Selfie Asked for again');
    expect(words).not.toContain('internal only');
  });

  it('shows the decision with its reasons and the message', async () => {
    const id = await given.submitted();
    await given.act(id, 'reject', {
      'reject.reasonCodes': ['document_expired', 'other'],
      'reject.message': 'Come back with a new one',
      confirmed: 'yes',
    });
    const { words, text } = await page(id);
    expect(words).toContain('Outcome Document has expired Other Message Come back with a new one');
    // On a phone the page is read from the top.
    expect(words.indexOf('Outcome Document')).toBeLessThan(words.indexOf('History'));
    expect(words).toContain('Rejected by a reviewer');
    expect(text).not.toContain('verification-link');
  });

  it('shows metadata as JSON', async () => {
    const { verification } = await given.countersign.verifications.create(given.principal, {
      subjectType: 'kyc',
      subjectReference: 'with-metadata',
      metadata: { plan: '<script>', tags: [1] },
    });
    const { text } = await page(verification.id);
    expect(text).toContain(
      '<pre><code>{\n  &quot;plan&quot;: &quot;&lt;script&gt;&quot;,\n  &quot;tags&quot;: [\n    1\n  ]\n}</code></pre>',
    );
  });

  it('every path of an unknown or foreign verification answers 404 and is recorded', async () => {
    const id = await given.pending();
    const { version } = await given.review.preview(id);
    for (const wrong of [id, '019cb6e0-0000-7000-8000-00000000ffff', 'nonsense', '%00', `${id}'--`]) {
      const paths = [`${LIST}/${wrong}`, `${LIST}/${wrong}/withdraw`, `${LIST}/${wrong}/renew-link`];
      for (const path of paths) expect((await given.get(path, OTTO)).status, path).toBe(404);
      for (const path of paths.slice(1)) expect((await given.post(path, {}, OTTO)).status, path).toBe(404);
      // Writes what was counted; after the second summary, each refusal is the first of its kind again.
      for (let summary = 0; summary < 2; summary += 1) await given.countersign.summariseRefusals();
    }
    expect((await given.review.preview(id)).version).toBe(version);
    const lines = await given.auditLines();
    const refused = lines.filter((line) => line.includes('refused'));
    // Of three reads of one id, one has a line and two are counted; what cannot be an id is not counted by it.
    expect(refused).toHaveLength(3 * 4 + 2 * 5);
    const actions = ['read', 'withdraw', 'renew_link'];
    expect(new Set(refused)).toEqual(
      new Set(actions.map((action) => `verifications.${action} refused VERIFICATION_NOT_FOUND`)),
    );
  });

  it('says how long the data is kept', async () => {
    const [id, pending] = [await given.submitted(), await given.pending()];
    expect((await page(pending)).words).toContain('Data Kept while the verification is open');
    await given.act(id, 'approve', { confirmed: 'yes' });
    expect((await page(id)).words).toMatch(/Data Kept until \d+ \w+ 20\d\d, 00:00 UTC/);
  });

  it('shows a notice in place of hidden data, also to the owner', async () => {
    const id = await given.submitted({ answers: { person: { firstName: 'Zoë' } } });
    await given.act(id, 'approve', { confirmed: 'yes' });
    await given.countersign.verifications.eraseData(given.principal, id);
    const { words, text } = await page(id);
    expect(words).toMatch(/Erasure requested\. The law requires the data to be kept until \d+ \w+ 20\d\d/);
    expect(words).toContain('The data is hidden');
    expect(words).toContain('6 of 6 steps');
    expect(text).not.toContain('Zoë');
    for (const empty of ['Submitted data', 'Documents', 'Metadata', 'Not yet']) expect(words).not.toContain(empty);
  });

  it('shows an erased verification by its short reference, in the list too', async () => {
    const id = await given.pending({ subjectReference: 'mira-1987' });
    await given.countersign.verifications.eraseData(given.principal, id, { withdraw: true });
    const { words, text } = await page(id);
    expect(text).toContain(`<h1 class="as-typed"><bdi>Erased: ${shortReference(id)}</bdi></h1>`);
    expect(words).toMatch(/Data Erased on \d+ \w+ \d{4}/);
    expect(words).toContain('The data is erased');
    const list = await given.get(LIST, ADA);
    expect(list.words).toContain(`Erased: ${shortReference(id)}`);
    for (const shown of [text, list.text]) expect(shown).not.toContain('mira-1987');
  });

  it('speaks German', async () => {
    const id = await given.submitted();
    const { words } = await given.get(`${LIST}/${id}`, ADA, { 'Accept-Language': 'de' });
    expect(words).toContain('Zu prüfen');
    expect(words).toContain('Eingereichte Daten');
  });
});

import { shortReference } from '@countersign/domain';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { BASE_URL } from '../../test-support/cases.ts';
import {
  type Answer,
  BEN,
  CHECKED,
  type GivenConsole,
  givenConsole,
  OLGA,
  RITA,
} from '../../test-support/console.ts';

let given: GivenConsole;
let id: string;

const statusOf = async () => (await given.review.preview(id)).status;
const versionOf = async () => String((await given.review.preview(id)).version);

/** Opens the subject's link and returns the page that the subject sees. */
async function subjectPage(): Promise<Answer> {
  const { verificationUrl } = await given.countersign.verifications.get(given.principal, id);
  const link = await given.get(verificationUrl.slice(BASE_URL.length), null);
  const [session = ''] = (link.headers.get('Set-Cookie') ?? '').split(';');
  const location = (link.headers.get('Location') ?? '').replace('/kyc', '');
  return given.get(location, null, { Cookie: session });
}

beforeEach(async () => {
  given = await givenConsole();
  id = await given.submitted();
});

describe('claiming a case', () => {
  it('claiming a case is shown to every reviewer, and can be released', async () => {
    const claimed = await given.act(id, 'claim');
    expect(claimed.status).toBe(303);
    expect(claimed.headers.get('Location')).toBe(`/kyc/review/${id}?done=claimed`);
    expect((await given.get(`/review/${id}?done=claimed`)).words).toContain('You have claimed this case.');
    expect((await given.get('/review', BEN)).words).toContain('Rita Ora');

    await given.act(id, 'release');
    expect((await given.get(`/review/${id}`, BEN)).words).toContain('Unclaimed');
  });

  it('keeps others from deciding until they release it, and the history shows that they did', async () => {
    await given.act(id, 'claim');
    const page = await given.get(`/review/${id}`, BEN);
    expect(page.words).toContain('Rita Ora is working on this case.');
    expect(page.text).not.toContain(`action="/kyc/review/${id}/approve"`);

    const refused = await given.act(id, 'approve', { confirmed: 'yes' }, BEN);
    expect(refused.status).toBe(409);
    expect(refused.words).toContain('Rita Ora claimed this case at');
    expect(await statusOf()).toBe('submitted');

    await given.act(id, 'release', {}, BEN);
    expect((await given.get(`/review/${id}`)).words).toContain('Claim released by Ben <i>Bold</i>');
    expect((await given.act(id, 'approve', { confirmed: 'yes' }, BEN)).status).toBe(303);
  });
});

describe('approving', () => {
  it('approves in one form, which the page asks to confirm, and says so above the queue', async () => {
    const asked = await given.act(id, 'approve', { 'approve.internalNote': 'Looks fine' });
    expect(asked.status).toBe(200);
    expect(asked.words).toContain('Approve Ada Lovelace?');
    expect(asked.text).toContain('>Looks fine</textarea>');
    expect(await statusOf()).toBe('submitted');

    const done = await given.act(id, 'approve', { 'approve.internalNote': 'Looks fine', confirmed: 'yes' });
    expect(done.headers.get('Location')).toBe(`/kyc/review?done=approved&of=${id}`);
    expect(await statusOf()).toBe('approved');
    const result = await given.get(`/review?done=approved&of=${id}`);
    expect(result.words).toContain(`Approved: ${shortReference(id)} · View`);
    expect(result.text).toContain(`href="/kyc/review/${id}"`);
    const page = await given.get(`/review/${id}`);
    expect(page.words).toMatch(/Decision Approved by Rita Ora, 15 Jan 2026, 12:00 UTC/);
    expect(page.words).toContain('Looks fine');
  });

  it('goes on to the next case that matches, with its filters', async () => {
    const business = await given.submitted({ type: 'kyb' });
    const next = await given.submitted();
    const last = await given.submitted();
    const decide = async (caseId: string, query: string) => {
      const fields = { expectedVersion: String((await given.review.preview(caseId)).version), confirmed: 'yes' };
      return given.post(`/review/${caseId}/reject${query}`, { ...fields, 'reject.reasonCodes': 'data_mismatch' });
    };
    expect((await decide(id, '?type=kyc')).headers.get('Location')).toBe(
      `/kyc/review/${next}?type=kyc&done=rejected&of=${id}`,
    );
    const page = await given.get(`/review/${next}?type=kyc&done=rejected&of=${id}`);
    expect(page.words).toContain(`Rejected: ${shortReference(id)}`);
    expect(page.words).toContain('Yours');
    for (const action of ['approve', 'reject', 'ask', 'note', 'release'])
      expect(page.text).toContain(`action="/kyc/review/${next}/${action}?type=kyc"`);
    expect(page.text).toContain('href="/kyc/review?type=kyc" class="back-link"');
    expect(page.text).toContain(`<a href="/kyc/review/${id}?type=kyc">View</a>`);
    expect((await decide(next, '')).headers.get('Location')).toContain(`/kyc/review/${business}?`);
    expect((await decide(business, '?type=kyb')).headers.get('Location')).toContain('/kyc/review?type=kyb&');
    expect((await given.review.preview(last)).claim).toBeNull();
  });

  it('shows the result above the queue when the claim of the next case fails', async () => {
    await given.submitted();
    const queue = given.ports.storage.verifications.queue;
    given.ports.storage.verifications.queue = () => Promise.reject(new Error('canary'));
    const done = await given.act(id, 'approve', { confirmed: 'yes' });
    given.ports.storage.verifications.queue = queue;
    expect(done.headers.get('Location')).toBe(`/kyc/review?done=approved&of=${id}`);
    expect(given.faults).toHaveLength(1);
    expect(await statusOf()).toBe('approved');
  });

  it('a storage fault answers 500 and does not return the form', async () => {
    vi.spyOn(given.ports.storage.verifications, 'commit').mockRejectedValue(new Error('canary'));
    expect((await given.act(id, 'approve', { confirmed: 'yes' })).status).toBe(500);
    expect(given.faults).toHaveLength(1);
  });

  it('refuses an approval until each warning is ticked, and keeps the note', async () => {
    const note = { 'approve.internalNote': 'kept note', confirmed: 'yes' };
    const refused = await given.act(id, 'approve', { ...note, [CHECKED]: [] });
    expect(refused.status).toBe(422);
    expect(refused.words).toContain('Tick each warning once you have checked it');
    expect(refused.text).toContain('>kept note</textarea>');
    expect(refused.text).toMatch(/<details id="act-approve"[^>]* open/);
    expect(await statusOf()).toBe('submitted');
    const [, key = ''] = /name="approve.checkedWarnings" value="([^"]+)" required/.exec(refused.text) ?? [];
    expect(key).toBe('country_mismatch:document.issuingCountry');
    expect(refused.words).toContain('I checked Identity document, Issuing country: The country differs');
    expect((await given.act(id, 'approve', { ...note, [CHECKED]: ['other:key', key] })).status).toBe(303);
  });

  it('approving can be cancelled: the page keeps the typed values', async () => {
    const back = await given.act(id, 'approve', { 'approve.internalNote': 'Not sure', confirmed: 'no' });
    expect(back.status).toBe(200);
    expect(back.text).toMatch(/<textarea[^>]*name="approve.internalNote"[^>]*>Not sure<\/textarea>/);
    expect(back.text).toContain('<title>Ada Lovelace ');
    expect(back.text).not.toContain('<div data-fields="true" hidden');
    expect(await statusOf()).toBe('submitted');
  });
});

describe('rejecting', () => {
  const good = {
    'reject.reasonCodes': ['selfie_mismatch', 'suspected_fraud'],
    'reject.message': 'Please call us',
  };

  it('shows what each audience will see, then rejects', async () => {
    const asked = await given.act(id, 'reject', { ...good, 'reject.internalNote': 'third try' });
    const [, form = ''] = asked.text.split('id="act-reject"');
    const words = form.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    const [, seen = ''] = words.split('What the subject reads');
    const [subject, client] = seen.split('What the client reads as well');
    expect(subject).toContain('No reason, and no message.');
    expect(client).toContain('Selfie does not match the document Suspected fraud');
    expect(client).toContain('Please call us');
    expect(client?.split('This is final')[0]).not.toContain('third try');
    // The form carries all of it on.
    expect(asked.text).toMatch(/name="reject.reasonCodes" value="suspected_fraud" checked/);
    expect(form).toMatch(/<div data-fields="true" hidden/);

    expect((await given.act(id, 'reject', { ...good, confirmed: 'yes' })).status).toBe(303);
    const { verification } = await given.review.open(id);
    expect(verification).toMatchObject({
      status: 'rejected',
      decision: { reasonCodes: ['selfie_mismatch', 'suspected_fraud'], message: 'Please call us' },
    });
    // The subject's page shows what the confirmation announced.
    const own = await subjectPage();
    expect(own.status).toBe(200);
    for (const word of ['Suspected', 'match', 'call us', 'third try']) expect(own.words).not.toContain(word);
  });

  it.each([
    ['no reason', { 'reject.message': 'kept text' }, 'Choose at least one reason'],
    ['other without a message', { 'reject.reasonCodes': 'other' }, 'the reason “Other” needs one'],
    [
      'a reason there is not',
      { 'reject.reasonCodes': 'withdrawn', 'reject.message': 'kept text' },
      'Choose at least one reason',
    ],
    [
      'a message that is too long',
      { 'reject.reasonCodes': 'data_mismatch', 'reject.message': 'x'.repeat(2001) },
      'is longer than 2,000 characters',
    ],
    [
      'a note that is too long',
      { 'reject.reasonCodes': 'data_mismatch', 'reject.internalNote': 'x'.repeat(2001) },
      'is longer than 2,000 characters',
    ],
  ])('names what is wrong: %s', async (_, fields, message) => {
    for (const confirmed of [{}, { confirmed: 'yes' }]) {
      const refused = await given.act(id, 'reject', { ...fields, ...confirmed });
      expect(refused.status).toBe(422);
      expect(refused.words).toContain('There is a problem');
      expect(refused.words).toContain(message);
    }
    expect(await statusOf()).toBe('submitted');
  });

  it('keeps what was typed beside what is wrong', async () => {
    const refused = await given.act(id, 'reject', { 'reject.message': 'kept text' });
    expect(refused.text).toContain('<title>Error: Ada Lovelace ');
    expect(refused.text).toContain('>kept text</textarea>');
    expect(refused.text).toContain('href="#field-reject-reasonCodes"');
    expect(refused.text).toContain('id="field-reject-reasonCodes"');
    expect(refused.text).toMatch(/<details id="act-reject"[^>]* open/);
  });
});

describe('asking for action', () => {
  const fields = {
    'ask.steps': ['document', 'selfie'],
    'ask.document.reasonCode': 'document_glare',
    'ask.document.note': 'Turn off the flash',
    'ask.selfie.reasonCode': 'selfie_unclear',
    'ask.message': 'Two pictures once more',
    'ask.internalNote': 'canary-internal-note',
  };

  it('asks to confirm, then reopens only these steps', async () => {
    const asked = await given.act(id, 'ask', fields);
    expect(asked.words).toMatch(/Identity document: [^:]+ Turn off the flash Selfie: We could not/);
    expect(await statusOf()).toBe('submitted');

    const done = await given.act(id, 'ask', { ...fields, confirmed: 'yes' });
    expect(done.headers.get('Location')).toBe(`/kyc/review?done=asked&of=${id}`);
    const { verification } = await given.review.open(id);
    expect(verification).toMatchObject({
      status: 'action_needed',
      request: {
        message: 'Two pictures once more',
        items: [
          { step: 'document', reasonCode: 'document_glare', note: 'Turn off the flash' },
          { step: 'selfie', reasonCode: 'selfie_unclear', note: null },
        ],
      },
      internalNotes: [{ text: 'canary-internal-note', reviewerId: RITA }],
    });
    expect((await given.get(`/review/${id}`)).words).toContain('Requested from the subject');
  });

  it('offers the pictures and answers of a step, and asks for the chosen ones alone', async () => {
    const { text, words } = await given.get(`/review/${id}`);
    expect(words).toContain('Tick whole steps here');
    const offered = (step: string) =>
      [...text.matchAll(new RegExp(`name="ask.${step}.fields" value="([^"]+)"`, 'g'))].map(([, path]) => path);
    expect(offered('document').toSorted()).toEqual([
      'backFileId',
      'expiresOn',
      'frontFileId',
      'issuingCountry',
      'number',
      'type',
    ]);
    expect(offered('selfie')).toEqual([]);

    const front = { 'ask.document.fields': 'frontFileId', 'ask.document.reasonCode': 'document_glare' };
    const asked = await given.act(id, 'ask', front);
    expect(asked.words).toContain('Identity document, Front: ');
    await given.act(id, 'ask', { ...front, confirmed: 'yes' });
    expect((await given.review.open(id)).verification).toMatchObject({
      request: { items: [{ step: 'document', field: 'frontFileId', reasonCode: 'document_glare', note: null }] },
    });
    const page = await given.get(`/review/${id}`);
    expect(page.words).toContain('Identity document, Front : Glare');
    expect(page.words, 'the history').toContain('(Identity document, Front)');
  });

  it('never shows the internal note to the subject or to the client', async () => {
    await given.act(id, 'ask', { ...fields, confirmed: 'yes' });
    const details = JSON.stringify(await given.countersign.verifications.details(given.principal, id));
    expect(details).not.toContain('canary-internal-note');
    expect(details).toContain('Two pictures once more');

    const page = await subjectPage();
    expect(page.status).toBe(200);
    expect(page.words).toContain('Two pictures once more');
    expect(page.text).not.toContain('canary-internal-note');
  });

  it.each([
    ['no step', {}, 'Choose at least one step'],
    [
      'a field that is not offered',
      { 'ask.document.fields': 'canary', 'ask.document.reasonCode': 'document_glare' },
      'Identity document: choose only from the listed',
    ],
    ['a step without a reason', { 'ask.steps': 'person' }, 'Person: choose a reason'],
    ['other without a note', { 'ask.steps': 'person', 'ask.person.reasonCode': 'other' }, 'Person: write a note'],
    [
      'a suspicion, which subjects never see',
      { 'ask.steps': 'person', 'ask.person.reasonCode': 'suspected_fraud' },
      'Person: choose a reason',
    ],
    ['a note at a step that is not chosen', { 'ask.person.note': 'Which name?' }, 'Person: tick it too'],
    [
      'a step of the other flow',
      { 'ask.steps': 'ownership', 'ask.ownership.reasonCode': 'ownership_incomplete' },
      'Choose at least one step',
    ],
  ])('names what is wrong: %s', async (_, wrong, message) => {
    const refused = await given.act(id, 'ask', wrong);
    expect(refused.status).toBe(422);
    expect(refused.words).toContain(message);
    expect(await statusOf()).toBe('submitted');
  });
});

describe('writing a note', () => {
  it('decides nothing, and every reviewer can read the note', async () => {
    await given.act(id, 'note', { 'note.internalNote': 'Asked the bank' });
    expect((await given.get(`/review/${id}`, BEN)).words).toContain('Asked the bank');
    expect(await statusOf()).toBe('submitted');
  });

  it('needs a text', async () => {
    const refused = await given.act(id, 'note');
    expect(refused.status).toBe(422);
    expect(refused.words).toContain('Write the note');
  });
});

/** The warning of every case here. */
const CHECKS = ['country_mismatch:document.issuingCountry'];

const caseIn = (place: string): string | undefined => /\/review\/([^?/]+)/.exec(place)?.[1];

describe('two reviewers at once', () => {
  const rejection = {
    'reject.reasonCodes': 'data_mismatch',
    'reject.message': 'kept text',
    'reject.internalNote': 'kept note',
  };

  it('one decides; the other sees who decided, and the values they typed', async () => {
    const expectedVersion = await versionOf();
    const answers = await Promise.all([
      given.act(id, 'approve', { expectedVersion, [CHECKED]: CHECKS, confirmed: 'yes' }, OLGA),
      given.act(id, 'reject', { expectedVersion, ...rejection, confirmed: 'yes' }, BEN),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 409]);
    expect(await statusOf()).toBe('approved');
    const words = answers[1]?.words ?? '';
    expect(words).toContain('Nothing was decided');
    expect(words).toContain('Approved by Olga Op');
    expect(words).toContain('What you typed');
    expect(words).toContain('kept text');
    expect(words).toContain('kept note');
    expect(words).toContain('Data does not match the document');
  });

  it('one decides; the other, who wrote nothing, sees a notice and gets the next case', async () => {
    const next = await given.submitted();
    const fields = { expectedVersion: await versionOf(), [CHECKED]: CHECKS, confirmed: 'yes' };
    const answers = await Promise.all([
      given.act(id, 'approve', fields, OLGA),
      given.act(id, 'approve', fields, BEN),
    ]);
    const places = answers.map(({ headers }) => headers.get('Location'));
    expect(places.toSorted()).toEqual(
      [`/kyc/review/${next}?done=approved&of=${id}`, `/kyc/review?done=late&of=${id}`].toSorted(),
    );
    const page = await given.get(`/review?done=late&of=${id}`, BEN);
    expect(page.words).toContain(`${shortReference(id)} had already been decided. Your decision was not saved.`);
  });

  it('a form that was sent twice leads to the one case that it claimed', async () => {
    const next = await given.submitted();
    await given.submitted();
    const fields = { expectedVersion: await versionOf(), [CHECKED]: CHECKS, confirmed: 'yes' };
    await given.act(id, 'approve', fields);
    const again = await given.act(id, 'approve', fields);
    expect(again.headers.get('Location')).toBe(`/kyc/review/${next}?done=late&of=${id}`);
    expect((await given.review.queue({ unclaimed: true })).items).toHaveLength(1);
  });

  it('two reviewers decide each of 50 cases once, and never get the same one', async () => {
    const ids = [id];
    while (ids.length < 50) ids.push(await given.submitted());
    const shown = new Map<string, string[]>();
    const workAs = async (as: string) => {
      let place = (await given.post('/review/next', {}, as)).headers.get('Location') ?? '';
      for (let caseId = caseIn(place); caseId !== undefined; caseId = caseIn(place)) {
        shown.set(as, [...(shown.get(as) ?? []), caseId]);
        // Stays below the limit of requests.
        given.ports.clock.advance(1_000);
        const decided = await given.act(caseId, 'approve', { [CHECKED]: CHECKS, confirmed: 'yes' }, as);
        expect(decided.status).toBe(303);
        place = decided.headers.get('Location') ?? '';
        expect(place).toContain('done=approved');
      }
    };
    await Promise.all([workAs(RITA), workAs(BEN)]);
    const both = [...shown.values()].flat();
    expect(both.toSorted()).toEqual(ids.toSorted());
    expect(Math.min(...[...shown.values()].map(({ length }) => length))).toBeGreaterThan(5);
    const { total } = await given.review.queue({ status: 'approved' });
    expect(total.count).toBe(50);
  });

  it('a change is reported before the confirmation, and the form can be sent again on the current version', async () => {
    const expectedVersion = await versionOf();
    await given.act(id, 'note', { 'note.internalNote': 'I am looking at it' }, OLGA);
    const refused = await given.act(id, 'reject', { expectedVersion, ...rejection }, BEN);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('<title>Error: Ada Lovelace ');
    expect(refused.words).toContain('Internal note written by Olga Op');
    expect(refused.text).toContain('>kept text</textarea>');
    expect(refused.text).toContain(`name="expectedVersion" value="${await versionOf()}"`);
    expect(refused.words).not.toContain('What you typed');
  });

  it('a form kept while the case changed comes back for editing, not for confirmation', async () => {
    const fields = { expectedVersion: await versionOf(), ...rejection };
    const sent = await given.post(`/review/${id}/reject`, fields, BEN, { 'Sec-Fetch-Mode': 'navigate' });
    const [cookie = ''] = (sent.headers.get('Set-Cookie') ?? '').split(';');
    await given.act(id, 'note', { 'note.internalNote': 'I am looking at it' }, OLGA);
    const headers = { Cookie: `${given.accounts.signedIn(BEN)}; ${cookie}` };
    const page = await given.get(`/review/${id}`, BEN, headers);
    expect(page.text).toContain('>kept text</textarea>');
    expect(page.words).toContain('Internal note written by Olga Op');
    expect(page.text).not.toContain('<div data-fields="true" hidden');
  });

  it('an invalid decision comes back with its problem, even if the case is already decided', async () => {
    await given.act(id, 'approve', { confirmed: 'yes' }, OLGA);
    const refused = await given.act(id, 'reject', { confirmed: 'yes' }, BEN);
    expect(refused.status).toBe(422);
    expect(refused.words).toContain('Choose at least one reason');
  });

  it('shows who claimed the case in the meantime', async () => {
    const expectedVersion = await versionOf();
    await given.act(id, 'claim', {}, OLGA);
    for (const confirmed of [{}, { confirmed: 'yes' }]) {
      const refused = await given.act(id, 'reject', { expectedVersion, ...rejection, ...confirmed }, BEN);
      expect(refused.status).toBe(409);
      expect(refused.words).toContain('Olga Op claimed this case at');
      expect(refused.words).toContain('kept text');
    }
  });

  it('a case that is no longer submitted is not decided', async () => {
    await given.act(id, 'approve', { confirmed: 'yes' }, OLGA);
    const refused = await given.act(id, 'reject', { ...rejection, confirmed: 'yes' }, BEN);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('action="/kyc/review/next"');
    expect(refused.words).toContain('not possible in the current status');
    expect(await statusOf()).toBe('approved');
  });
});

describe('forged and malformed forms', () => {
  it.each([
    [{ 'Sec-Fetch-Site': 'cross-site' }],
    [{ 'Sec-Fetch-Site': 'same-site' }],
    [{ 'Sec-Fetch-Site': 'none' }],
  ])('refuses a forged origin: %o', async (headers) => {
    const fields = { expectedVersion: await versionOf(), confirmed: 'yes' };
    const refused = await given.post(`/review/${id}/approve`, fields, RITA, headers);
    expect(refused.status).toBe(403);
    expect(await statusOf()).toBe('submitted');
  });

  it.each(['', '0', '-1', 'x', '1e3', '99999999999'])('refuses the version %j', async (expectedVersion) => {
    expect((await given.act(id, 'approve', { expectedVersion, confirmed: 'yes' })).status).toBe(400);
    expect(await statusOf()).toBe('submitted');
  });

  it('answers 404 for an unknown case and an unknown action', async () => {
    const fields = { expectedVersion: '1', confirmed: 'yes' };
    expect((await given.post('/review/nobody/approve', fields)).status).toBe(404);
    expect((await given.post(`/review/${id}/withdraw`, fields)).status).toBe(404);
    expect(given.faults).toEqual([]);
  });
});

import { shortReference } from '@countersign/domain';
import { holdVerification, releaseVerificationHold, withdrawVerification } from '@countersign/domain/actions';
import { beforeEach, describe, expect, it } from 'vitest';
import { DRAWN_PAGES } from '../../test-support/cases.ts';
import { BEN, type GivenConsole, givenConsole, OLGA, RITA } from '../../test-support/console.ts';

let given: GivenConsole;

beforeEach(async () => {
  given = await givenConsole();
});

/** Returns the rows of the table of answers as text. */
function rowOf(text: string, id: string): string {
  const row = new RegExp(`<tr id="${id}"[\\s\\S]*?</tr>`).exec(text)?.[0] ?? '';
  return row
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

describe('the page of a case', () => {
  it('shows the client, the status and the waiting time', async () => {
    const id = await given.submitted({ subjectReference: 'customer-7' });
    given.ports.clock.advance(26 * 60 * 60 * 1000);
    const { words, text } = await given.get(`/review/${id}`);
    expect(words).toContain('customer-7');
    expect(words).toContain('Client Acme Bank');
    expect(words).toContain('Person (KYC)');
    expect(words).toContain('Waiting for 1 day, 2 hours');
    expect(text).toContain('title="15 Jan 2026, 12:00 UTC"');
    expect(text).toContain('<title>Ada Lovelace ');
    for (const file of ['review.css', 'review.js']) expect(text).toContain(file);
  });

  it('says how many cases the reviewer decided today, of those and what waits', async () => {
    const progressOf = async (id: string, as = RITA) =>
      /class="progress-today"[^>]*>([^<]+)/.exec((await given.get(`/review/${id}`, as)).text)?.[1];
    const [first, second, third] = [await given.submitted(), await given.submitted(), await given.submitted()];
    expect(await progressOf(first)).toBe('0 of 3 today');
    await given.act(first, 'approve', { confirmed: 'yes' });
    await given.act(second, 'reject', { confirmed: 'yes', 'reject.reasonCodes': 'data_mismatch' });
    expect([await progressOf(third), await progressOf(third, BEN)]).toEqual(['2 of 3 today', '0 of 1 today']);
    expect(await progressOf(first)).toBeUndefined();
    given.ports.clock.advance(24 * 60 * 60 * 1000);
    expect(await progressOf(third)).toBe('0 of 1 today');
  });

  it('shows a person with names of countries and dates in the language of the reader', async () => {
    const id = await given.submitted();
    const english = await given.get(`/review/${id}`);
    expect(rowOf(english.text, 'answer-person-nationalities')).toBe('Nationalities Poland (PL), Japan (JP)');
    expect(rowOf(english.text, 'answer-person-dateOfBirth')).toBe('Date of birth 28 February 1990');
    const german = await given.get(`/review/${id}`, RITA, { 'Accept-Language': 'de' });
    expect(rowOf(german.text, 'answer-person-nationalities')).toBe('Staatsangehörigkeiten Polen (PL), Japan (JP)');
    expect(rowOf(german.text, 'answer-person-dateOfBirth')).toBe('Geburtsdatum 28. Februar 1990');
  });

  it('shows a business: people numbered, shares, and the extract as a download', async () => {
    const id = await given.submitted({ type: 'kyb' });
    const { text } = await given.get(`/review/${id}`);
    expect(rowOf(text, 'answer-ownership-beneficialOwners-0-ownershipPercent')).toBe(
      'Beneficial owner 1: Share 33.3%',
    );
    expect(rowOf(text, 'answer-ownership-beneficialOwners-0-controlType')).toContain('Direct shares');
    expect(rowOf(text, 'answer-business-tradingNames')).toBe('Trading names None');
    expect(rowOf(text, 'answer-documents-registrationExtractFileId')).toContain(
      'Registration extract: download the original 20 bytes',
    );
    // Three pictures, and two pages of the extract.
    expect(text.match(/data-picture/g)).toHaveLength(5);
  });

  it('shows both sides and the face, flags at the pictures, and warnings that lead to the field', async () => {
    const id = await given.submitted({ flags: ['blur', 'glare'] });
    const { text, words } = await given.get(`/review/${id}`);
    expect(text.match(/data-picture/g)).toHaveLength(3);
    expect(words).toContain('Document, front Blurred? Glare?');
    expect(words).toContain('I checked Selfie, Picture: The picture may be blurred');
    expect(text).toContain('id="answer-selfie-fileId"');
    expect(text).toMatch(/<details class="case-fold" id="answer-selfie" open/);
    // Each kind of warning once in the line above, with a link to the first place.
    expect([...text.matchAll(/<a href="#([^"]+)" class="badge is-warn"/g)].map(([, place]) => place)).toEqual([
      'answer-document-issuingCountry',
      'answer-document-frontFileId',
      'answer-document-frontFileId',
    ]);
    for (const [, anchor] of text.matchAll(/href="#(answer-[^"]+)"/g)) expect(text).toContain(`id="${anchor}"`);
  });

  it('shows the latest 50 events with a link to all of them', async () => {
    const id = await given.submitted();
    await given.act(id, 'note', { 'note.internalNote': 'The first' }, OLGA);
    await given.act(id, 'claim', {}, BEN);
    for (let n = 1; n <= 50; n += 1) await given.act(id, 'note', { 'note.internalNote': `Note ${n}` });
    const listed = (text: string) => /<ol class="timeline">[\s\S]*?<\/ol>/.exec(text)?.[0].match(/<li>/g)?.length;

    const latest = await given.get(`/review/${id}`);
    expect(listed(latest.text)).toBe(50);
    // The first note and the claim are not among the latest events.
    expect(latest.words).toContain('Ben <i>Bold</i> is working on this case.');
    expect(latest.words).toMatch(/Olga Op, [^.]* The first/);
    const [, path = '', count = ''] =
      /href="[^"]*(\/review\/[^"]+)"[^>]*>Show all (\d+) events/.exec(latest.text) ?? [];
    expect(Number(count)).toBeGreaterThan(50);

    const all = await given.get(path);
    expect(listed(all.text)).toBe(Number(count));
    expect(all.words).toContain('Created by');
    expect(all.words).not.toContain('Show all');
  });

  it('says that a case has reached its limit of events, and still lets it be approved', async () => {
    const id = await given.submitted();
    const { claim, release, preview } = given.review;
    // Not by the pages, which take many times as long.
    const claimAndRelease = async () => {
      for (;;) {
        await claim({ verificationId: id, version: (await preview(id)).version });
        await release({ verificationId: id, version: (await preview(id)).version });
      }
    };
    await expect(claimAndRelease()).rejects.toMatchObject({ code: 'EVENT_LIMIT_REACHED' });
    const refused = await given.act(id, 'claim');
    expect(refused.status).toBe(409);
    expect(refused.words).toContain('This case has reached its limit of recorded events.');
    expect((await given.act(id, 'approve', { confirmed: 'yes' })).status).toBe(303);
  });

  it('puts earlier answers beside the new ones, and keeps replaced files apart', async () => {
    const id = await given.submitted();
    const items = { 'ask.steps': 'document', 'ask.document.reasonCode': 'document_glare', confirmed: 'yes' };
    await given.act(id, 'ask', items);
    const open = await given.get(`/review/${id}`);
    expect(open.words).toContain('Identity document Asked for again');
    expect(open.words).toContain('There is nothing to decide in this status.');

    given.ports.clock.advance(60_000);
    await given.redo(id, { answers: { document: { number: 'NEW-2' } } });
    const { text, words } = await given.get(`/review/${id}`);
    expect(rowOf(text, 'answer-document-number')).toBe('Number changed NEW-2 L01X00T47');
    expect(rowOf(text, 'answer-document-expiresOn')).toBe('Expires on 31 May 2031 31 May 2031');
    expect(words).toContain('Replaced and unused files (2)');
    expect(words).toContain('Action requested by Rita Ora');
  });

  it('shows a case that is not submitted yet, and offers no decision', async () => {
    const id = await given.pending();
    const { status, words, text } = await given.get(`/review/${id}`);
    expect(status).toBe(200);
    expect(words).toContain('Not answered yet.');
    expect(text).not.toMatch(/action="[^"]*\/(approve|reject|ask|claim)"/);
  });

  it.each([
    ['en', 'Outcome Withdrawn before a decision.'],
    ['de', 'Ergebnis Vor einer Entscheidung zurückgezogen.'],
  ])('in %s: a withdrawn case reads as withdrawn, not as rejected', async (language, outcome) => {
    const id = await given.pending();
    await given.countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId: id });
    const { words } = await given.get(`/review/${id}`, RITA, { 'Accept-Language': language });
    expect(words).toContain(outcome);
    expect(words).not.toMatch(/(Outcome|Status) Rejected|(Ergebnis|Status) Abgelehnt/);
  });

  it('says how long the data is kept, and shows a notice in place of hidden data', async () => {
    const id = await given.submitted();
    expect((await given.get(`/review/${id}`)).words).toContain('Data Kept while the verification is open');
    await given.act(id, 'reject', { 'reject.reasonCodes': ['data_mismatch'], confirmed: 'yes' });
    expect((await given.get(`/review/${id}`)).words).toMatch(/Data Kept until \d+ \w+ 20\d\d, 00:00 UTC/);
    await given.countersign.verifications.eraseData(given.principal, id);
    const { words, text } = await given.get(`/review/${id}`);
    expect(words).toMatch(/Erasure requested\. The law requires the data to be kept until \d+ \w+ 20\d\d/);
    expect(words).toContain('The data is hidden');
    expect(words).toContain('Data does not match the document');
    expect(words).toContain('Erasure requested by the client’s API key');
    expect(text).not.toContain('Lovelace');
    for (const part of ['id="pictures"', '#pictures', 'id="answers"', 'id="notes"', 'no-warnings'])
      expect(text).not.toContain(part);
  });

  it.each([
    ['en', 'Hold set by An operator.', 'Outcome Withdrawn before a decision.'],
    ['de', 'Gesperrt durch einen Operator.', 'Ergebnis Vor einer Entscheidung zurückgezogen.'],
  ])(
    'shows in %s who set the hold of hidden data, and how an erased case ended',
    async (language, setBy, outcome) => {
      const operator = given.countersign.as({ kind: 'command_line' });
      const verificationId = await given.pending();
      const pageOf = async () =>
        (await given.get(`/review/${verificationId}`, RITA, { 'Accept-Language': language })).words;
      await operator.run(withdrawVerification, { verificationId });
      await operator.run(holdVerification, { verificationId, reason: 'Lawsuit 7' });
      await given.countersign.verifications.eraseData(given.principal, verificationId);
      const hidden = await pageOf();
      expect(hidden).toContain(setBy);
      expect(hidden).not.toContain('Lawsuit');
      await operator.run(releaseVerificationHold, { verificationId });
      await given.countersign.verifications.eraseData(given.principal, verificationId);
      await given.countersign.retention.run();
      const erased = await pageOf();
      expect(erased).toContain(outcome);
      expect(erased).toMatch(/(Status Withdrawn|Status Zurückgezogen)/);
    },
  );

  it('shows an erased case by its short reference, in the queue too', async () => {
    const id = await given.pending({ subjectReference: 'mira-1987' });
    await given.countersign.verifications.eraseData(given.principal, id, { withdraw: true });
    const pages = await Promise.all([`/review/${id}`, '/review?status=rejected'].map((path) => given.get(path)));
    expect(pages[0]?.words).toContain('The data is erased');
    for (const { words, text } of pages) {
      expect(words).toContain(`Erased: ${shortReference(id)}`);
      expect(text).not.toContain('mira-1987');
    }
  });

  it('asks operators to confirm a hold and a data copy, and has nothing to decline without a request', async () => {
    const id = await given.pending();
    const paths = ['hold', 'data-copy'].map((part) => `/review/${id}/${part}`);
    const pages = await Promise.all(paths.map((path) => given.get(path, OLGA)));
    expect(pages.map(({ headers }) => headers.get('Location'))).toEqual(
      paths.map((path) => `/kyc/account/confirm?returnTo=${encodeURIComponent(path)}`),
    );
    // No copy was requested.
    expect((await given.get(`/review/${id}/decline-copy`, OLGA)).status).toBe(200);
  });

  it('offers operators a copy of the data until it is erased', async () => {
    const id = await given.pending();
    expect((await given.get(`/review/${id}`, OLGA)).words).toContain('Copy for the person');
    await given.countersign.verifications.eraseData(given.principal, id, { withdraw: true });
    expect((await given.get(`/review/${id}`, OLGA)).words).not.toContain('Copy for the person');
  });

  it('answers 404 for an unknown case', async () => {
    for (const id of ['nobody', '%00', encodeURIComponent('../../x'), '00000000-0000-7000-8000-999999999999']) {
      expect((await given.get(`/review/${id}`)).status).toBe(404);
    }
    expect(given.faults).toEqual([]);
  });
});

it('a decided case says its status once', async () => {
  const id = await given.submitted();
  await given.act(id, 'approve', { confirmed: 'yes' });
  const { words } = await given.get(`/review/${id}`);
  expect(words).toMatch(/Status Approved Submitted /);
  expect(words).toMatch(/Decision Approved by Rita Ora, 15 Jan 2026, 12:00 UTC/);
  expect(words).not.toContain('Approved Approved');
});

it('a case that comes back after a request for action is claimed by the reviewer who asked', async () => {
  const id = await given.submitted();
  const items = { 'ask.steps': 'selfie', 'ask.selfie.reasonCode': 'selfie_unclear' };
  await given.act(id, 'ask', { ...items, confirmed: 'yes' }, BEN);
  await given.redo(id);
  expect((await given.get(`/review/${id}`, BEN)).words).toContain('Yours');
  const { words } = await given.get(`/review/${id}`, RITA);
  expect(words).toContain('Ben <i>Bold</i> is working on this case.');
  expect(words).toMatch(/Ben <i>Bold<\/i> Release /);
});

it('in German, no button of another decision says the word for approving', async () => {
  const id = await given.submitted();
  const { text } = await given.get(`/review/${id}`, RITA, { 'Accept-Language': 'de' });
  for (const act of ['reject', 'ask']) {
    const [, form = ''] = new RegExp(`id="act-${act}"([\\s\\S]*?)</form>`).exec(text) ?? [];
    const buttons = [...form.matchAll(/<button[^>]*>([^<]*)/g)].map(([, label]) => label);
    expect(buttons.map((label) => label?.trim())).toEqual([
      'Weiter',
      act === 'ask' ? 'Rückfrage senden' : 'Ablehnen',
      'Ändern',
    ]);
  }
});

describe('text of a subject', () => {
  const HOSTILE = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>';

  it('is never markup, in whichever field it comes', async () => {
    const who = { firstName: HOSTILE, lastName: HOSTILE };
    const born = { dateOfBirth: '1986-12-09', nationality: 'US' };
    const place = {
      line1: HOSTILE,
      line2: HOSTILE,
      city: HOSTILE,
      region: HOSTILE,
      postalCode: '"><b>',
      country: 'HK',
    };
    const kyc = await given.submitted({
      subjectReference: HOSTILE,
      answers: {
        consent: { version: '"><script>' },
        person: {
          ...who,
          middleNames: HOSTILE,
          placeOfBirth: { city: HOSTILE, country: 'PL' },
          nationalIdNumber: '<script>',
        },
        address: place,
        document: { number: '<script>"\'' },
      },
    });
    const kyb = await given.submitted({
      type: 'kyb',
      subjectReference: `${HOSTILE} 2`,
      answers: {
        consent: { representative: { ...who, role: HOSTILE, email: 'ada@example.org' } },
        business: {
          legalName: HOSTILE,
          tradingNames: [HOSTILE],
          legalForm: HOSTILE,
          registrationNumber: '<script>',
          activity: HOSTILE,
        },
        addresses: { registered: place, operating: place },
        ownership: { directors: [{ ...who, ...born }] },
      },
    });
    for (const id of [kyc, kyb]) {
      await given.act(id, 'note', { 'note.internalNote': HOSTILE });
      for (const path of [`/review/${id}`, '/review']) {
        const { text, words } = await given.get(path);
        expect(text).not.toContain('<script>');
        expect(text).not.toContain('<img src=x');
        expect(words).toContain(HOSTILE);
      }
      const confirm = await given.act(id, 'reject', { 'reject.reasonCodes': 'other', 'reject.message': HOSTILE });
      expect(confirm.status).toBe(200);
      expect(confirm.text).not.toContain('<script>');
      expect(confirm.text).not.toContain('<img src=x');
      expect(confirm.words).toContain(HOSTILE);
    }
  });

  it('is not taken from the address either', async () => {
    const id = await given.submitted();
    for (const path of [
      `/review/${id}?done=${encodeURIComponent(HOSTILE)}`,
      `/review?status=${encodeURIComponent(HOSTILE)}&client=${encodeURIComponent(HOSTILE)}&page=-1`,
    ]) {
      const { status, text } = await given.get(path);
      expect(status).toBe(200);
      expect(text).not.toContain('<script>');
    }
  });

  it('names of reviewers are no markup', async () => {
    const id = await given.submitted();
    await given.act(id, 'claim', {}, BEN);
    expect((await given.get(`/review/${id}`)).text).not.toContain('<i>Bold</i>');
  });
});

describe('the files of a case', () => {
  const filesOf = async (id: string) => (await given.review.open(id)).verification.files;

  it('have headers that prevent scripts from running', async () => {
    const id = await given.submitted();
    const [file] = await filesOf(id);
    const { status, headers } = await given.get(`/review/${id}/files/${file?.id}`);
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('image/jpeg');
    expect(headers.get('Content-Disposition')).toMatch(/^inline; filename="[a-z_]+\.jpg"$/);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Content-Security-Policy')).toMatch(/^sandbox; default-src 'none'/);
  });

  it('files of a case have small pictures, for reviewers only', async () => {
    const [id, other] = [await given.submitted(), await given.submitted()];
    const [file] = await filesOf(id);
    const { status, headers } = await given.get(`/review/${id}/files/${file?.id}/thumbnail`);
    expect([status, headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
    expect((await given.get(`/review/${other}/files/${file?.id}/thumbnail`)).status).toBe(404);
    expect((await given.get(`/review/${id}/files/${file?.id}/thumbnail`, 'clara')).status).toBe(403);
  });

  it('are downloaded, never shown, if they are PDF', async () => {
    const id = await given.submitted({ type: 'kyb' });
    const extract = (await filesOf(id)).find(({ kind }) => kind === 'registration_extract');
    const { headers } = await given.get(`/review/${id}/files/${extract?.id}`);
    expect(headers.get('Content-Type')).toBe('application/pdf');
    expect(headers.get('Content-Disposition')).toMatch(/^attachment;/);
  });

  it('show the drawn pages of a PDF in place, each as a picture that runs nothing', async () => {
    const id = await given.submitted({ type: 'kyb' });
    const extract = (await filesOf(id)).find(({ kind }) => kind === 'registration_extract');
    const address = `/review/${id}/files/${extract?.id}`;
    const { text } = await given.get(`/review/${id}`);
    expect(text).toContain(`src="/kyc${address}/pages/2"`);
    expect(text).toContain('Registration extract, page 2 of 2');
    expect(text).toContain('download the original');
    expect(text).toContain('Open it only where scripts and attachments can do no harm');

    const page = await given.get(`${address}/pages/2`);
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toBe('image/jpeg');
    expect(page.headers.get('Content-Disposition')).toMatch(/^inline;/);
    expect(page.headers.get('Content-Security-Policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(page.headers.get('Content-Length')).toBe(String(DRAWN_PAGES[1]?.byteLength));
    expect((await given.get(`${address}/pages/3`)).status).toBe(404);
    expect((await given.get(`${address}/pages/0`)).status).toBe(404);
    expect((await given.get(`${address}/pages/1`, 'clara')).status).toBe(403);
  });

  it('show the drawn pages of a PDF also when it was replaced', async () => {
    const id = await given.submitted({ type: 'kyb' });
    const replaced = (await filesOf(id)).find(({ kind }) => kind === 'registration_extract');
    await given.act(id, 'ask', {
      'ask.steps': 'documents',
      'ask.documents.reasonCode': 'other',
      'ask.documents.note': 'Another extract',
      confirmed: 'yes',
    });
    await given.redo(id);

    const { text } = await given.get(`/review/${id}`);

    const [, earlier = ''] = /<summary>Replaced and unused files([\s\S]*?)<\/details>/.exec(text) ?? [];
    expect(earlier).toContain(`src="/kyc/review/${id}/files/${replaced?.id}/pages/1"`);
    expect(earlier).toContain(`src="/kyc/review/${id}/files/${replaced?.id}/pages/2"`);
  });

  it('belong to this case, and only reviewers can open them', async () => {
    const [id, other] = [await given.submitted(), await given.submitted()];
    const [file] = await filesOf(other);
    expect((await given.get(`/review/${id}/files/${file?.id}`)).status).toBe(404);
    expect((await given.get(`/review/${id}/files/${encodeURIComponent('<script>')}`)).status).toBe(404);
    expect((await given.get(`/review/${id}/files/..%2f..%2fetc`)).status).toBe(404);
    expect((await given.get(`/review/${other}/files/${file?.id}`, null)).status).toBe(303);
    expect((await given.get(`/review/${other}/files/${file?.id}`, 'clara')).status).toBe(403);
    expect(given.faults).toEqual([]);
  });
});

describe('by keyboard and without scripts', () => {
  it('has links past the head, and every form is a form', async () => {
    const id = await given.submitted();
    const { text } = await given.get(`/review/${id}`);
    for (const part of ['main', 'pictures', 'decision']) {
      expect(text).toContain(`class="skip-link" href="#${part}"`);
      expect(text).toContain(`id="${part}"`);
    }
    expect(text).not.toMatch(/ tabindex="[^-0]/);
    expect(text).not.toMatch(/\son[a-z]+="/);
    expect(text).not.toContain('style="');
    // What only a script can do is not shown without one.
    expect(text.match(/data-controls/g)).toHaveLength(3);
    expect(text.match(/data-controls[^>]*hidden/g)).toHaveLength(3);
  });

  it('moves the focus to the result of a form', async () => {
    const id = await given.submitted();
    expect((await given.get(`/review/${id}?done=claimed`)).text).toMatch(/class="notice good"[^>]*autofocus/);
    expect((await given.act(id, 'reject')).text).toMatch(/class="error-summary"[^>]*autofocus/);
    await given.act(id, 'approve', { confirmed: 'yes' });
    expect(
      (await given.act(id, 'reject', { 'reject.reasonCodes': 'data_mismatch', 'reject.message': 'Kept' })).text,
    ).toMatch(/class="error-summary"[^>]*autofocus/);
    expect((await given.get(`/review?done=approved&of=${id}`)).text).toMatch(/class="notice good"[^>]*autofocus/);
  });

  it('leads from the address of a form back to its page, where the language can be switched', async () => {
    const id = await given.submitted();
    const refused = await given.act(id, 'reject');
    const returnTo = /name="returnTo" value="([^"]*)"/.exec(refused.text)?.[1] ?? '';
    expect((await given.get(returnTo)).headers.get('Location')).toBe(`/kyc/review/${id}`);
    const security = await given.get('/account/security/begin');
    expect(security.headers.get('Location')).toBe('/kyc/account/security');
  });

  it.each([
    ['/review/next', '/review'],
    ['/review/case-1/claim', '/review/case-1'],
  ])('signing in after the form %s leads to the page %s', async (form, page) => {
    const { headers } = await given.post(form, {}, null);
    expect(headers.get('Location')).toBe(`/kyc/account/sign-in?returnTo=${encodeURIComponent(page)}`);
  });

  it('documents the keys, and switches them off and on', async () => {
    const help = await given.get('/review/keys');
    expect(help.words).toContain('Rotate a quarter turn');
    expect(help.text).toContain('data-shortcuts="on"');
    const off = await given.post('/review/keys', {});
    const [cookie = ''] = (off.headers.get('Set-Cookie') ?? '').split(';');
    expect(off.headers.get('Set-Cookie')).toContain('HttpOnly');
    const session = given.accounts.signedIn(RITA);
    const after = await given.get('/review', RITA, { Cookie: `${session}; ${cookie}` });
    expect(after.text).toContain('data-shortcuts="off"');
    const again = await given.post('/review/keys', {}, RITA, { Cookie: `${session}; ${cookie}` });
    expect(again.headers.get('Set-Cookie')).toContain('review-shortcuts=on');
  });
});

import { CountersignError, type ErrorCode } from '@countersign/domain';
import {
  type EvidenceIntake,
  type EvidenceWarning,
  SUBJECT_DOWNLOADS_AT_ONCE,
} from '@countersign/domain/evidence';
import { createTrustingIntake } from '@countersign/memory';
import { reviewAs } from '@countersign/test-support/service/operations';
import { describe, expect, it } from 'vitest';
import { fieldPart, filePart, formBytes, jpeg, pdf } from '../../../test-support/upload-body.ts';
import {
  givenSubjectAtAddress,
  givenSubjectAtDocument,
  submitWithoutPages,
} from '../../../test-support/upload-steps.ts';
import { givenSubject } from '../../../test-support/upload-subject.ts';

const FRONT = 'document-front';
const BACK = 'document-back';

/** Good answers to the steps before the documents of a business. */
const BUSINESS = {
  consent: {
    accepted: true,
    version: '2026-01',
    locale: 'en',
    representative: { firstName: 'Ada', lastName: 'Lovelace', role: 'Director', email: 'ada@example.org' },
  },
  business: {
    legalName: 'Acme GmbH',
    tradingNames: [],
    legalForm: 'GmbH',
    countryOfIncorporation: 'DE',
    registrationNumber: 'HRB 12345',
    activity: 'Machine tools',
  },
  addresses: { registered: { line1: 'Unter den Linden 1', postalCode: '10117', city: 'Berlin', country: 'DE' } },
  ownership: {
    directors: [{ firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' }],
    noBeneficialOwner: true,
    seniorManagers: [{ firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1986-12-09', nationality: 'US' }],
  },
};

/** An intake that refuses everything with a code, after it was read. */
const refusing = (code: ErrorCode): EvidenceIntake => ({
  async receive(upload) {
    for await (const _ of upload);
    throw new CountersignError(code, 'refused');
  },
});

/** An intake that warns of every picture. */
const warning = (...warnings: EvidenceWarning[]): EvidenceIntake => ({
  receive: async (upload, accepted) => ({ ...(await createTrustingIntake().receive(upload, accepted)), warnings }),
});

describe('the page that asks for a picture', () => {
  it('the page that asks for a picture is a plain form for one file that opens the camera on a phone', async () => {
    const given = await givenSubjectAtDocument();
    const page = await (await given.get(FRONT)).text();
    expect(page).toContain(`action="/countersign/verify/${given.id}/${FRONT}"`);
    expect(page).toMatch(/<form method="post"[^>]* enctype="multipart\/form-data"/);
    expect(page).toMatch(
      /<input type="file"[^>]* accept="image\/jpeg,image\/png,image\/webp" capture="environment"/,
    );
    expect(page).toContain('Picture of the front of your document');
  });

  it('proof of address: accepts a PDF, and can be skipped', async () => {
    const given = await givenSubjectAtAddress();
    const page = await (await given.get('proof-of-address')).text();
    expect(page).toContain('application/pdf"');
    expect(page).not.toContain('capture="');
    expect(page).toContain('Continue without it');

    await given.upload('proof-of-address', formBytes(filePart(pdf(), 'bill.pdf')));
    const shown = await (await given.get('proof-of-address')).text();
    expect(shown).toMatch(/<a href="\/countersign\/verify\/[^"]+\/files\/[^"]+" download/);
    expect(shown).not.toContain('<img class="taken-picture"');
  });

  it.each([
    [false, 'JPEG, PNG or WebP'],
    [true, 'JPEG, PNG, WebP or HEIC'],
  ])(
    'HEIC accepted: %s: pages of pictures and of documents, and refusals, name %s',
    async (acceptsHeic, formats) => {
      const front = await givenSubjectAtDocument({ acceptsHeic });
      expect(await (await front.get(FRONT)).text()).toContain(`${formats}, up to 25 MB`);
      const refused = await front.upload(FRONT, formBytes(filePart('<script>alert(1)</script>')));
      expect(await refused.text()).toContain(`The file is not a ${formats} picture`);
      const proof = await givenSubjectAtAddress({ acceptsHeic });
      const page = await (await proof.get('proof-of-address')).text();
      expect(page).toContain(`${formats} up to 25 MB, PDF up to 10 MB`);
    },
  );

  it('the file dialog never offers HEIC, so that iPhones send JPEG', async () => {
    const given = await givenSubjectAtDocument({ acceptsHeic: true });
    expect(await (await given.get(FRONT)).text()).toContain('accept="image/jpeg,image/png,image/webp"');
  });

  it('passport: asks for the page with the photo', async () => {
    const given = await givenSubjectAtDocument();
    await given.countersign.subject.saveDraft(given.access, {
      step: 'document',
      fields: ['type'],
      input: { type: 'passport' },
    });
    expect(await (await given.get(FRONT)).text()).toContain('Picture of the page with your photo');
  });

  it.each([
    ['passport', FRONT, true],
    ['id_card', FRONT, false],
    ['id_card', BACK, true],
    ['driving_licence', FRONT, false],
    ['driving_licence', BACK, false],
    ['residence_permit', BACK, false],
  ])('%s, %s: lets the camera look for the lines of a zone: %s', async (type, slug, hasLines) => {
    const given = await givenSubjectAtDocument();
    const [step, fields, input] = ['document', ['type'], { type }] as const;
    await given.countersign.subject.saveDraft(given.access, { step, fields, input });
    const page = await (await given.get(slug)).text();
    expect(page).toContain('<dialog');
    expect(page.includes('data-lines')).toBe(hasLines);
  });

  it('the page that asks for a picture is translated to German', async () => {
    const given = await givenSubjectAtDocument();
    const page = await (await given.get(FRONT, { 'Accept-Language': 'de-AT' })).text();
    expect(page).toContain('Foto der Vorderseite Ihres Ausweises');
  });
});

describe('an upload', () => {
  it('an upload is stored and shown on the same page, with buttons to use it or to take another', async () => {
    const given = await givenSubjectAtDocument();
    const answer = await given.upload(FRONT, formBytes(filePart(jpeg())));
    expect(answer.status).toBe(303);
    expect(answer.headers.get('Location')).toBe(`/countersign/verify/${given.id}/${FRONT}`);

    const { files } = await given.read();
    expect(files).toMatchObject([{ step: 'document', kind: 'document_front', size: 2000 }]);
    const page = await (await given.get(FRONT)).text();
    const file = `/countersign/verify/${given.id}/files/${files[0]?.id}`;
    expect(page).toContain(`src="${file}/thumbnail"`);
    expect(page).toContain(`href="${file}"`);
    expect(page).toContain('Use this picture');
    expect(page).toContain('Take another');
  });

  it('an upload that replaces one from the page of all answers is shown by its thumbnail too', async () => {
    const given = await givenSubjectAtDocument();
    await given.upload(FRONT, formBytes(filePart(jpeg())));
    const file = `/countersign/verify/${given.id}/files/${(await given.read()).files[0]?.id}`;
    const page = await (await given.get(`${FRONT}?from=check`)).text();
    expect(page).toContain(`src="${file}/thumbnail"`);
    expect(page).toContain(`href="${file}"`);
  });

  it('an upload is not sent to the subject while subjects have all of their slots for downloads', async () => {
    const given = await givenSubjectAtDocument();
    await given.upload(FRONT, formBytes(filePart(jpeg())));
    const [file] = (await given.read()).files;
    const ends: (() => void)[] = [];
    for (let n = 0; n < SUBJECT_DOWNLOADS_AT_ONCE; n += 1) {
      ends.push(
        await given.countersign.rateLimits.beginDownload({ subject: `other-${n}` }, async () => undefined),
      );
    }
    expect((await given.get(`files/${file?.id}`)).status).toBe(429);
    ends[0]?.();
    expect((await given.get(`files/${file?.id}`)).status).toBe(200);
  });

  it('an upload that the subject uses is named in the answers, and the next page follows', async () => {
    const given = await givenSubjectAtDocument();
    await given.upload(FRONT, formBytes(filePart(jpeg())));
    const fileId = (await given.read()).files[0]?.id ?? '';
    const answer = await given.post(FRONT, { fileId });
    expect(answer.headers.get('Location')).toBe(`/countersign/verify/${given.id}/document-back`);
    expect((await given.read()).drafts.document).toMatchObject({ frontFileId: fileId });
  });

  it('an upload can be replaced by another', async () => {
    const given = await givenSubjectAtDocument();
    await given.upload(FRONT, formBytes(filePart(jpeg())));
    expect(await (await given.get(`${FRONT}?again`)).text()).toContain('type="file"');
    await given.upload(FRONT, formBytes(filePart(jpeg(3000))));
    const { files } = await given.read();
    expect(await (await given.get(FRONT)).text()).toContain(`/files/${files[1]?.id}"`);
  });

  it('sent twice is shown once', async () => {
    const given = await givenSubjectAtDocument();
    const [first, second] = await Promise.all([1, 2].map(() => given.upload(FRONT, formBytes(filePart(jpeg())))));
    expect([first?.status, second?.status]).toEqual([303, 303]);
    expect((await given.get(FRONT)).status).toBe(200);
  });

  it('two different uploads of one page at the same time: the one that was checked last is shown', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let waiting = 0;
    const both = Promise.withResolvers<void>();
    const intake: EvidenceIntake = {
      async receive(upload, terms) {
        const file = await createTrustingIntake().receive(upload, terms);
        waiting += 1;
        if (waiting === 2) both.resolve();
        await gates[file.content.byteLength === 2000 ? 0 : 1]?.promise;
        return file;
      },
    };
    const given = await givenSubjectAtDocument({ intake });
    const first = given.upload(FRONT, formBytes(filePart(jpeg(2000))));
    const second = given.upload(FRONT, formBytes(filePart(jpeg(3000))));
    await both.promise;
    gates[1]?.resolve();
    expect((await second).status).toBe(303);
    gates[0]?.resolve();
    expect((await first).status).toBe(303);

    const { files } = await given.read();
    expect(files.map(({ size }) => size)).toEqual([3000, 2000]);
    expect(await (await given.get(FRONT)).text()).toContain(`/files/${files[1]?.id}"`);
    // A second window still shows the other one.
    expect((await given.post(FRONT, { fileId: files[0]?.id ?? '' })).status).toBe(303);
    expect((await given.read()).drafts.document).toMatchObject({ frontFileId: files[0]?.id });
  });

  it('an upload to the page that asks for another one, with the id of the first in its form: the new one is shown', async () => {
    const given = await givenSubjectAtDocument();
    await given.upload(FRONT, formBytes(filePart(jpeg(2000))));
    const earlier = (await given.read()).files[0]?.id ?? '';
    const form = formBytes(fieldPart('fileId', earlier), filePart(jpeg(3000)), fieldPart('again', ''));
    const answer = await given.upload(`${FRONT}?again`, form);
    expect(answer.headers.get('Location')).toBe(`/countersign/verify/${given.id}/${FRONT}`);
    const { files, drafts } = await given.read();
    expect(await (await given.get(FRONT)).text()).toContain(`/files/${files[1]?.id}"`);
    expect(drafts.document).not.toHaveProperty('frontFileId');
  });

  it('an upload from another site is refused before its body is read', async () => {
    const given = await givenSubjectAtDocument();
    let isRead = false;
    const source = {
      pull(controller: ReadableStreamDefaultController) {
        isRead = true;
        controller.close();
      },
    };
    const body = new ReadableStream(source, { highWaterMark: 0 });
    const answer = await given.upload(FRONT, body, { 'Sec-Fetch-Site': 'cross-site' });
    expect(answer.status).toBe(403);
    expect(isRead).toBe(false);
  });

  it('an upload without a session is refused, and its body drained', async () => {
    const given = await givenSubjectAtDocument();
    const answer = await given.upload(FRONT, formBytes(filePart(jpeg())), { Cookie: '' });
    expect(answer.status).toBe(403);
    expect(await given.storedFiles()).toBe(0);
  });
});

describe('a refused upload', () => {
  it.each<[ErrorCode, number, string]>([
    ['FILE_EMPTY', 422, 'The file is empty'],
    ['FILE_TOO_LARGE', 413, 'The file is larger than 25 MB'],
    ['DOCUMENT_TOO_LARGE', 413, 'The PDF is larger than 10 MB'],
    ['HEIC_REFUSED', 422, 'Save it as JPEG'],
    ['FILE_TYPE_REFUSED', 422, 'The file is not a JPEG, PNG or WebP picture'],
    ['FILE_DAMAGED', 422, 'The file is damaged'],
    ['PICTURE_TOO_LARGE', 422, 'more than 40 megapixels'],
    ['PICTURE_TOO_SMALL', 422, 'fewer than 600 pixels'],
    ['FILE_TOO_COMPLEX', 422, 'takes too much memory or time to open'],
  ])('%s: the same page with a message', async (code, status, message) => {
    const given = await givenSubjectAtDocument({ intake: refusing(code) });
    const answer = await given.upload(FRONT, formBytes(filePart(jpeg())));
    const page = await answer.text();
    expect(answer.status).toBe(status);
    expect(page).toContain(message);
    expect(page).toContain('href="#field-file"');
    expect(page).toContain('id="field-file"');
    expect(page).toContain('<title>Error:');
    expect(await given.storedFiles()).toBe(0);
    expect((await given.read()).drafts.document).toMatchObject({ number: 'L01X00T47' });
  });

  it.each<[string, Uint8Array<ArrayBuffer>, string]>([
    ['no file', formBytes(filePart('', '')), 'Choose a file first'],
    ['two files', formBytes(filePart(jpeg()), filePart(jpeg())), 'Send one file at a time'],
    ['half a file', formBytes(filePart(jpeg())).subarray(0, 500), 'The file did not arrive completely'],
    ['an empty file', formBytes(filePart('')), 'The file is empty'],
    ['HTML named .jpg', formBytes(filePart('<script>alert(1)</script>')), 'is not a JPEG, PNG or WebP picture'],
    ['26 MB', formBytes(filePart(jpeg(26 * 1024 * 1024))), 'The file is larger than 25 MB'],
  ])('%s: nothing is stored', async (_what, body, message) => {
    const given = await givenSubjectAtDocument();
    const page = await (await given.upload(FRONT, body)).text();
    expect(page).toContain(message);
    expect(await given.storedFiles()).toBe(0);
    expect((await given.read()).files).toEqual([]);
    expect(given.faults).toEqual([]);
  });

  it('an upload over the limit of files: a message, and the earlier file can stay', async () => {
    const given = await givenSubjectAtDocument();
    for (let count = 0; count < 20; count += 1) {
      expect((await given.upload(FRONT, formBytes(filePart(jpeg())))).status).toBe(303);
    }
    const answer = await given.upload(FRONT, formBytes(filePart(jpeg())));
    expect(answer.status).toBe(409);
    const page = await answer.text();
    expect(page).toContain('You have sent 20 files');
    expect(page).toContain('Keep the file you sent');
    expect(await given.storedFiles()).toBe(20);
  });

  it('an upload over the rate limit of uploads: 429 before the body is read', async () => {
    let read = 0;
    const intake: EvidenceIntake = {
      receive(upload, accepted) {
        read += 1;
        return refusing('FILE_DAMAGED').receive(upload, accepted);
      },
    };
    const given = await givenSubjectAtDocument({ intake });
    const send = async () => (await given.upload(FRONT, formBytes(filePart(jpeg())))).status;
    const statuses = [];
    for (let count = 1; count <= 41; count += 1) statuses.push(await send());
    expect(statuses.slice(-2)).toEqual([422, 429]);
    expect(read).toBe(40);
    given.clock.advance(5 * 60_000);
    expect(await send()).toBe(422);
  });

  it('a fifth upload at the same time: 429 with Retry-After before its form is read, and none once another has ended', async () => {
    const { promise: pause, resolve: goOn } = Promise.withResolvers<void>();
    let begun = 0;
    const intake: EvidenceIntake = {
      async receive(upload, accepted) {
        begun += 1;
        await pause;
        return createTrustingIntake().receive(upload, accepted);
      },
    };
    const given = await givenSubjectAtDocument({ intake });
    const other = await givenSubjectAtDocument({ intake });
    const send = (to = given) => to.upload(FRONT, formBytes(filePart(jpeg())));
    const slow = [1, 2, 3, 4].map(() => send());
    await expect.poll(() => begun).toBe(4);

    const fifth = await send();

    expect([fifth.status, fifth.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(await fifth.text()).toContain('You are already sending 4 files');
    expect(begun).toBe(4);
    const otherSubject = send(other);
    await expect.poll(() => begun).toBe(5);
    goOn();
    expect((await Promise.all([...slow, otherSubject])).map(({ status }) => status)).toEqual(Array(5).fill(303));
    expect((await send()).status).toBe(303);
  });

  it('an upload after a file that took too long to open: 429 with Retry-After and the wait in minutes', async () => {
    const intake: EvidenceIntake = {
      receive: () =>
        Promise.reject(new CountersignError('UPLOADS_PAUSED', undefined, { data: { retryAfterSeconds: 61 } })),
    };
    const given = await givenSubjectAtDocument({ intake });
    const answer = await given.upload(FRONT, formBytes(filePart(jpeg())));
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '61']);
    expect(await answer.text()).toContain('Wait 2 minutes, then send another file');
    expect(await given.storedFiles()).toBe(0);
  });

  it('an upload for a step that is not open: a message, and nothing is stored', async () => {
    const given = await givenSubjectAtDocument();
    const answer = await given.upload('selfie', formBytes(filePart(jpeg())));
    expect(answer.status).toBe(409);
    expect(await given.storedFiles()).toBe(0);
  });

  it.each(['', 'unknown', '../../x'])('using the unknown file %o: a message', async (fileId) => {
    const given = await givenSubjectAtDocument();
    const answer = await given.post(FRONT, { fileId });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('Choose a file first');
  });

  it('a refused upload is translated to German', async () => {
    const given = await givenSubjectAtDocument({ intake: refusing('FILE_DAMAGED') });
    const answer = await given.upload(FRONT, formBytes(filePart(jpeg())), { 'Accept-Language': 'de' });
    expect(await answer.text()).toContain('Die Datei ist beschädigt');
  });
});

describe('an optional file', () => {
  it('an optional file can be skipped: the step is complete without it, even after an upload', async () => {
    const given = await givenSubjectAtAddress();
    const address = { line1: '12 St James Square', postalCode: 'SW1Y 4LB', city: 'London', country: 'GB' };
    await given.countersign.subject.completeStep(given.access, 'address', address);
    await given.upload('proof-of-address', formBytes(filePart(pdf())));
    const fileId = (await given.read()).files.at(-1)?.id ?? '';
    await given.post('proof-of-address', { fileId });
    expect((await given.read()).steps.address?.answers).toMatchObject({ proofFileId: fileId });

    expect((await given.post('proof-of-address', { fileId: '' })).status).toBe(303);
    expect((await given.read()).steps.address?.answers).not.toHaveProperty('proofFileId');
  });
});

describe('the pictures of a representative', () => {
  it('the pictures of a representative are named in the answers of the representative', async () => {
    const given = await givenSubject({ type: 'kyb' });
    expect((await given.upload('authority', formBytes(filePart(pdf())))).status).toBe(409);
    for (const [step, answers] of Object.entries(BUSINESS)) {
      await given.countersign.subject.completeStep(given.access, step, answers);
    }
    await given.upload('registration-extract', formBytes(filePart(pdf())));
    const fileId = (await given.read()).files[0]?.id ?? '';
    const answer = await given.post('registration-extract', { fileId });
    expect(answer.headers.get('Location')).toBe(`/countersign/verify/${given.id}/articles`);
    for (const slug of ['articles', 'ownership-chart', 'business-proof-of-address']) {
      await given.post(slug, { fileId: '' });
    }
    expect((await given.read()).steps.documents?.answers).toEqual({ registrationExtractFileId: fileId });

    await given.upload('document-front', formBytes(filePart(jpeg())));
    const front = (await given.read()).files[1]?.id ?? '';
    await given.post('document-front', { fileId: front });
    expect((await given.read()).drafts.representative).toEqual({ document: { frontFileId: front } });
  });
});

describe('a subject who cannot take a picture of their face', () => {
  it('finds the help of the client on the page of the selfie only', async () => {
    const given = await givenSubjectAtAddress();
    const support = 'mailto:help@acme.example';
    await given.countersign.appearances.change(given.clientId, { supportAddress: 'help@acme.example' });
    const main = async (path: string) => (await (await given.get(path)).text()).replace(/<footer.*/s, '');
    expect(await main(`${FRONT}?again`)).not.toContain(support);
    const selfie = await main('selfie?again');
    expect(selfie).toContain('I cannot take a picture of my face');
    expect(selfie).toContain(support);
  });
});

describe('a picture that is hard to read', () => {
  it('gets advice immediately, and can be used anyway', async () => {
    const given = await givenSubjectAtDocument({ intake: warning('blur', 'glare') });
    await given.upload(FRONT, formBytes(filePart(jpeg())));
    const page = await (await given.get(FRONT)).text();
    expect(page).toContain('It looks blurred');
    expect(page).toContain('It shows a reflection');
    expect(page).toContain('Continue with this picture anyway');
  });

  it('a picture that is hard to read gets advice at every try, and keeps its warning', async () => {
    const given = await givenSubjectAtDocument({ intake: warning('blur') });
    const pages: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      await given.upload(FRONT, formBytes(filePart(jpeg())));
      pages.push(await (await given.get(FRONT)).text());
    }
    expect(pages.map((page) => page.includes('It looks blurred'))).toEqual([true, true, true]);
    expect((await given.read()).files.at(-1)?.warnings).toEqual(['blur']);
  });

  it.each([
    ['dark', ['It looks too dark']],
    ['glare,dark,<b>', ['It looks too dark', 'It shows a reflection']],
    ['nothing', []],
  ])('what the browser said before, %s, is carried to the page with the picture', async (said, advice) => {
    const given = await givenSubjectAtDocument();
    const answer = await given.upload(`${FRONT}?camera=${encodeURIComponent(said)}`, formBytes(filePart(jpeg())));
    const address = answer.headers.get('Location') ?? '';
    expect(address.includes('camera=')).toBe(advice.length > 0);
    const page = await (await given.get(address.slice(address.indexOf(FRONT)))).text();
    for (const text of ['It looks too dark', 'It looks blurred', 'It shows a reflection']) {
      expect(page.includes(text), text).toBe(advice.includes(text));
    }
    // The camera goes on by itself unless the server has a warning.
    expect(page).not.toContain('data-picture-warning');
  });

  it('the page marks a warning of the server for the camera', async () => {
    const given = await givenSubjectAtDocument({ intake: warning('blur') });
    await given.upload(FRONT, formBytes(filePart(jpeg())));
    expect(await (await given.get(FRONT)).text()).toContain('data-picture-warning');
  });
});

describe('a picture that a reviewer asked for again', () => {
  it('a picture that a reviewer asked for again is shown with the advice to replace it', async () => {
    const given = await givenSubjectAtDocument({ intake: warning('glare') });
    await given.upload(FRONT, formBytes(filePart(jpeg())));
    await submitWithoutPages(given);
    const { version } = await given.read();
    given.clock.advance(60_000);
    await reviewAs(given.countersign).askForAction(
      { verificationId: given.id, version },
      { items: [{ step: 'document', reasonCode: 'document_glare' }] },
    );
    const again = await given.reopened();

    const before = await (await again.get(FRONT)).text();
    expect(before).toContain('You sent this file before');
    expect(before).toMatch(/src="[^"]+\/thumbnail"/);
    expect(before.indexOf('Take another')).toBeLessThan(before.indexOf('Use this picture'));

    given.clock.advance(1000);
    expect((await again.upload(FRONT, formBytes(filePart(jpeg())))).status).toBe(303);
    const after = await (await again.get(FRONT)).text();
    expect(after).not.toContain('You sent this file before');
    expect(after).toContain('It shows a reflection');
  });
});

describe('a file of the subject', () => {
  it('a file of the subject has its content type, runs no script and is not cached', async () => {
    const given = await givenSubjectAtDocument();
    await given.upload(FRONT, formBytes(filePart(jpeg())));
    const answer = await given.get(`files/${(await given.read()).files[0]?.id}`);
    expect(Buffer.from(await answer.arrayBuffer()).equals(jpeg())).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'inline; filename="document_front.jpg"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
    });
  });

  it('a small picture of a file has the same headers; of a file without one it is the picture', async () => {
    const trusting = createTrustingIntake();
    const small = Uint8Array.of(0xff, 0xd8, 0xff, 0xe1);
    const intake: EvidenceIntake = {
      async receive(...upload) {
        const thumbnail = { content: small, sha256: 'a'.repeat(64) };
        return { ...(await trusting.receive(...upload)), thumbnail };
      },
    };
    const [given, without] = [await givenSubjectAtDocument({ intake }), await givenSubjectAtDocument()];
    const shown = async (at: typeof given) => {
      await at.upload(FRONT, formBytes(filePart(jpeg())));
      const answer = await at.get(`files/${(await at.read()).files[0]?.id}/thumbnail`);
      return { bytes: Buffer.from(await answer.arrayBuffer()), headers: Object.fromEntries(answer.headers) };
    };
    const thumbnail = await shown(given);
    expect(thumbnail.bytes.equals(small)).toBe(true);
    expect(thumbnail.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
    });
    expect((await shown(without)).bytes.equals(jpeg())).toBe(true);
    expect((await given.get('files/unknown/thumbnail')).status).toBe(404);
  });

  it('a PDF is downloaded, not shown', async () => {
    const given = await givenSubjectAtAddress();
    await given.upload('proof-of-address', formBytes(filePart(pdf())));
    const answer = await given.get(`files/${(await given.read()).files.at(-1)?.id}`);
    expect(answer.headers.get('Content-Type')).toBe('application/pdf');
    expect(answer.headers.get('Content-Disposition')).toBe('attachment; filename="proof_of_address.pdf"');
  });

  it('an unknown file, or one of another subject: 404', async () => {
    const [given, other] = [await givenSubjectAtDocument(), await givenSubjectAtDocument()];
    await given.upload(FRONT, formBytes(filePart(jpeg())));
    const fileId = (await given.read()).files[0]?.id;
    expect((await given.get('files/unknown')).status).toBe(404);
    expect((await given.get(`files/${fileId}`, { Cookie: other.cookie.replace(/.$/, '_') })).status).toBe(403);
  });
});

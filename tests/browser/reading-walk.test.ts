// A camera looks for a second at each picture, and the server's reader takes up to a second for it.
// cspell:ignore Olaquiulqui Xkvmshaqv Zoedo Petvikschyus Zyksteinho
import { readFileSync } from 'node:fs';
import { WEIGHTS_URL } from '@countersign/reading';
import { bringChecks, outlineOf, violationsOf } from '@countersign/test-support/browser/accessibility';
import { openOnPhone, walkWithCamera } from '@countersign/test-support/browser/camera-walk';
import { touch } from '@countersign/test-support/browser/input-method';
import { send, walk as walkOn } from '@countersign/test-support/browser/walk';
import { readableDocument } from '@countersign/test-support/installation/readable-documents';
import type { Typed } from '@countersign/test-support/pages/page-answers';
import { newStaff } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { createClock } from '@countersign/test-support/processes/clock';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { describeWith } from '@countersign/test-support/servers';
import sharp, { type Region } from 'sharp';
import { beforeAll, expect, it } from 'vitest';

/** What a document says, and the picture that says it. */
interface DrawnDocument {
  readonly type: string;
  readonly country: string;
  readonly details: Typed;
  readonly side: 'document-front' | 'document-back';
  readonly picture: () => Promise<Buffer>;
}

const date = (name: string, day: string, month: string, year: string): Typed => ({
  [`${name}.day`]: day,
  [`${name}.month`]: month,
  [`${name}.year`]: year,
});

/** Cuts the document out of a picture, and turns it upright. */
const cutOut = (picture: Buffer, region: Region, degrees = 0): Promise<Buffer> =>
  sharp(picture).extract(region).rotate(degrees).jpeg({ quality: 95 }).toBuffer();

const PASSPORT: DrawnDocument = {
  type: 'passport',
  country: 'Chile',
  details: {
    number: 'OV7255517',
    ...date('expiresOn', '25', '11', '2027'),
    firstName: 'Olaquiulqui Xkvmshaqv Do',
    lastName: 'Stein',
    ...date('dateOfBirth', '3', '4', '1980'),
    'nationalities.0': 'Chile',
  },
  side: 'document-front',
  picture: () => cutOut(readableDocument(3).picture, { left: 806, top: 258, width: 925, height: 652 }, 180),
};

const CARD: DrawnDocument = {
  type: 'id_card',
  country: 'United Kingdom',
  details: {
    number: 'U39777556',
    ...date('expiresOn', '10', '10', '2028'),
    firstName: 'Zoedo',
    lastName: 'Petvikschyus Zyksteinho',
    ...date('dateOfBirth', '22', '1', '1958'),
    'nationalities.0': 'United Kingdom',
  },
  side: 'document-back',
  picture: () => cutOut(readableDocument(0).picture, { left: 119, top: 30, width: 682, height: 463 }),
};

const LICENCE: DrawnDocument = {
  type: 'driving_licence',
  country: 'United States',
  details: {
    number: 'T64235789',
    ...date('expiresOn', '10', '12', '2031'),
    firstName: 'Michael',
    lastName: 'Sample',
    ...date('dateOfBirth', '6', '6', '1986'),
    'nationalities.0': 'United States',
  },
  side: 'document-back',
  picture: () =>
    sharp(readFileSync(new URL('known-licence.jpg', WEIGHTS_URL)))
      .linear(0.85)
      .jpeg()
      .toBuffer(),
};

const PICTURES = ['document-front', 'document-back', 'selfie'];

const PLACE_OF_BIRTH: Typed = { 'placeOfBirth.city': 'London', 'placeOfBirth.country': 'United Kingdom' };

describeWith(['chromium'], 'a subject with a camera and a document that is read', () => {
  // The documents are valid then.
  const clock = createClock('2026-06-01T09:00:00Z');
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServer({ env: clock.env, readsDocuments: true });
  });

  async function givenWalk(document: DrawnDocument, placeOfBirth = false) {
    const opened = await openOnPhone({ ...server, clock }, { placeOfBirth });
    const picture = await document.picture();
    const subject = {
      page: opened.page,
      input: touch(),
      answers: {
        state: { accepted: 'true' },
        document: { type: document.type, issuingCountry: document.country },
        details: { ...document.details, ...(placeOfBirth && PLACE_OF_BIRTH) },
        address: { line1: '1 Main Street', city: 'London', postalCode: 'SW1A 1AA' },
        check: { accepted: 'true' },
      },
      film: (slug: string) =>
        slug === document.side
          ? opened.camera.filmPicture(picture, document.type === 'passport' ? 'passport' : 'card')
          : opened.camera.film(slug === 'selfie' ? 'face' : 'card'),
    };
    return { ...opened, walk: (until?: string) => walkWithCamera(subject, until) };
  }

  // One after the other: the reader has the lowest claim to the processor.
  it.each<[string, DrawnDocument, placeOfBirth: boolean, screens: number, inputs: number]>([
    ['a passport: 8 screens, 7 inputs', PASSPORT, false, 8, 7],
    ['a card and the place of birth: 9 screens, 8 inputs', CARD, true, 9, 8],
    ['a driving licence: 9 screens, 8 inputs', LICENCE, false, 9, 8],
  ])('%s, and at most two taps a picture', async (_, document, placeOfBirth, screens, inputs) => {
    const { walk, activity, status, complaints } = await givenWalk(document, placeOfBirth);
    await walk();
    expect(await status()).toBe('submitted');
    expect(activity.screens).toHaveLength(screens);
    expect([...activity.inputs]).toHaveLength(inputs);
    expect(Math.max(...PICTURES.map((slug) => activity.taps(slug)))).toBe(2);
    complaints.expectNone();
  });

  it('an edited value is marked for the subject and for the reviewer', async () => {
    const { walk, page, url, id, complaints } = await givenWalk(PASSPORT);
    const forms = await openSubjectForms(url, 'kyc');
    const picture = new Blob([new Uint8Array(await PASSPORT.picture())], { type: 'image/jpeg' });
    const document = { type: PASSPORT.type, issuingCountry: 'CL' };
    await forms.walk({ answers: { document }, file: () => picture }, 'details');
    const details = `${page.url()}/details`;
    await bringChecks(page);
    await page.goto(details);
    await walk('selfie');
    await page.goto(details);
    await page.locator('summary', { hasText: 'Number of the document' }).getByText('Change').tap();
    await page.getByLabel('Number of the document').fill('OV7255518');
    await send(page);
    await walkOn(page, 'kyc', { until: 'check' });
    const number = page.locator('.answer-page dl > div', { hasText: 'Number of the document' });
    expect(await number.innerText()).toMatch(/OV7255518\s+Your document reads .?OV7255517.?\. A person/);
    expect([...(await outlineOf(page)).faults, ...(await violationsOf(page))]).toEqual([]);
    await walk();
    const reviewer = await newStaff(server, 'reviewer');
    const texts = await (await reviewer.get(`/review/${id}`)).text();
    expect(texts).toContain('Another value had been read from the document when the subject answered');
    complaints.expectNone();
  });
});

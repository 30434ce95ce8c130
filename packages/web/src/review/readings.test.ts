import type { DocumentReader, DocumentReading, MrzBox } from '@countersign/domain';
import { describe, expect, it } from 'vitest';
import { type GivenConsole, givenConsole, RITA } from '../../test-support/console.ts';
import { type PageDocument, pageDocument } from '../../test-support/page-document.ts';

/** What the reader finds on the front; the sample answers are L01X00T47, 31 May 2031, Poland and Japan. */
const FRONT: DocumentReading = {
  outcome: 'read',
  readerVersion: '1',
  fields: {
    documentNumber: { value: 'L01X00T47', sure: true },
    expiresOn: { value: '2026-01-31', sure: true },
    issuingCountry: { value: 'AT', sure: true },
    nationality: { value: 'PL', sure: true },
    lastName: { value: 'HOPPER', sure: false },
  },
};

/** A zone of two lines below the portrait, upright. */
const ZONE: MrzBox = { x: 0.1, y: 0.8, width: 0.8, height: 0.09, rotation: 0, aspect: 1.4 };

const NOTHING: DocumentReading = { outcome: 'nothing', readerVersion: '1', fields: {} };
const FAILED: DocumentReading = { outcome: 'failed', readerVersion: '1', fields: {} };

/** Returns these readings in turn, and then nothing. The front is uploaded first, then the back. */
function aReader(...readings: readonly DocumentReading[]): DocumentReader {
  const left = [...readings];
  return { read: () => Promise.resolve(left.shift() ?? NOTHING) };
}

/** Uploads do not wait for readings. */
async function untilRead(
  { review }: GivenConsole,
  id: string,
  outcome: DocumentReading['outcome'],
): Promise<void> {
  await expect
    .poll(async () => (await review.open(id)).readings.map((reading) => reading.outcome))
    .toContain(outcome);
}

async function readCase(front: DocumentReading): Promise<{ given: GivenConsole; id: string }> {
  const given = await givenConsole({}, {}, { reader: aReader(front) });
  const id = await given.submitted();
  await untilRead(given, id, front.outcome);
  return { given, id };
}

async function casePage(front: DocumentReading, headers = {}) {
  const { given, id } = await readCase(front);
  const { text } = await given.get(`/review/${id}`, RITA, headers);
  const page = pageDocument(text);
  const rowOf = (name: string) =>
    (page.getElementById(`answer-${name}`)?.textContent ?? '').replace(/\s+/g, ' ').trim();
  return { given, id, text, page, rowOf };
}

describe('the answers of a document that was read', () => {
  it('answers show what was read where it differs, and a mark in words', async () => {
    const { rowOf } = await casePage(FRONT);
    expect(rowOf('document-number')).toMatch(/L01X00T47L01X00T47✓ Same as read from the document$/);
    expect(rowOf('document-expiresOn')).toMatch(/31 May 2031.*31 January 2026≠ Differs from what was read$/);
    expect(rowOf('document-issuingCountry')).toContain('Austria (AT)');
    expect(rowOf('person-nationalities')).toMatch(/✓ Same as read from the document$/);
    expect(rowOf('person-lastName')).toContain('HOPPER');
    expect(rowOf('person-firstName')).toMatch(/Ada• Not compared with the document$/);
    expect(rowOf('address-country')).toBe('Country Germany (DE)');
  });

  it('marks are in German too, with a legend', async () => {
    const { rowOf, page } = await casePage(FRONT, { 'Accept-Language': 'de' });
    expect(rowOf('document-expiresOn')).toMatch(/31. Januar 2026≠ Weicht vom Gelesenen ab$/);
    expect(page.querySelector('.mark-legend')?.textContent).toBe(
      '✓ Wie aus dem Dokument gelesen≠ Weicht vom Gelesenen ab• Nicht mit dem Dokument verglichen',
    );
  });

  it('signs of marks are hidden from screen readers, which hear the words', async () => {
    const { page } = await casePage(FRONT);
    const signs = [...page.querySelectorAll('.answers .badge')].filter(({ textContent }) =>
      /[✓≠•]/.test(textContent),
    );
    expect(signs.length).toBeGreaterThan(3);
    expect(signs.every((sign) => sign.getAttribute('aria-hidden') === 'true')).toBe(true);
  });

  it('warnings name the value once in the row, and in what the reviewer compares', async () => {
    const { page, rowOf } = await casePage(FRONT);
    expect(rowOf('document-expiresOn').match(/31 January 2026/g)).toHaveLength(1);
    const checks = page.querySelector('#act-approve')?.textContent ?? '';
    expect(checks).toContain(
      'I compared Identity document, Expires on: printed 31 January 2026, answered 31 May 2031',
    );
    expect(checks).toContain('Issuing country: printed Austria (AT), answered Germany (DE)');
  });

  it.each([
    ['found nothing', NOTHING],
    ['failed', FAILED],
  ])('look as without a reader if it %s', async (_what, reading) => {
    const { page } = await casePage(reading);
    const given = await givenConsole();
    const without = pageDocument((await given.get(`/review/${await given.submitted()}`)).text);
    const values = (of: PageDocument) =>
      [...of.querySelectorAll('.answers td')].map(({ textContent }) =>
        textContent.split('No machine-readable')[0]?.trim(),
      );
    expect(values(page).length).toBeGreaterThan(10);
    expect(values(page)).toEqual(values(without));
    expect(page.querySelector('.reading-mark, .mark-legend, .read-value, .portrait')).toBeNull();
  });
});

it('a warning about a number names the countries whose rules it breaks', async () => {
  const check = () => 'does_not_fit' as const;
  const numberChecks = { nationalId: check, taxId: check, vatNumber: check, registrationNumber: check };
  const given = await givenConsole({}, {}, { numberChecks });
  const id = await given.submitted({ answers: { person: { nationalIdNumber: '1' } } });
  const { words } = await given.get(`/review/${id}`);
  expect(words).toContain('does not fit the rules of its country (Poland (PL), Japan (JP), Germany (DE))');
});

describe('the portrait on the document', () => {
  it('the portrait stands beside the selfie, cropped from the picture of the document', async () => {
    const { page, text, id, given } = await casePage({ ...FRONT, mrzBox: ZONE });
    const figures = [...page.querySelectorAll('#compared > figure')].map(
      (figure) => figure.querySelector('figcaption')?.textContent.trim() ?? '',
    );
    expect(figures).toEqual(['Portrait on the document', 'Selfie']);
    const svg = page.querySelector('.portrait svg');
    expect(svg?.getAttribute('role')).toBe('img');
    expect(svg?.getAttribute('aria-label')).toBe('The portrait on the document, cropped from its picture');
    const image = svg?.querySelector('image');
    const front = (await given.review.open(id)).verification.files.find(({ kind }) => kind === 'document_front');
    expect(image?.getAttribute('href')).toBe(`/kyc/review/${id}/files/${front?.id}`);
    expect(image?.getAttribute('width')).toBe('1400');
    expect(image?.getAttribute('transform')).toMatch(
      /^translate\([\d.]+ [\d.]+\) rotate\(0\) translate\(-\d+ -\d+\)$/,
    );
    expect(text).not.toContain('style="');
  });

  it('the portrait is turned back if the document is turned', async () => {
    const turned: MrzBox = { x: 0.75, y: 0.05, width: 0.09, height: 0.85, rotation: 0.75, aspect: 1 / 1.4 };
    const { page } = await casePage({ ...FRONT, mrzBox: turned });
    expect(page.querySelector('.portrait image')?.getAttribute('transform')).toContain(' rotate(-270) ');
  });

  it.each([
    ['without the place of the zone', undefined],
    ['for a zone of three lines', { ...ZONE, y: 0.6, height: 0.25 }],
    ['for a picture of unknown shape', { ...ZONE, aspect: undefined }],
  ])('the portrait is left out %s', async (_what, mrzBox) => {
    const { page } = await casePage({ ...FRONT, ...(mrzBox !== undefined && { mrzBox }) });
    expect(page.querySelector('.portrait')).toBeNull();
    expect([...page.querySelectorAll('[data-picture]')]).toHaveLength(3);
  });
});

describe('opening a case', () => {
  it('reads pictures whose reading failed once more, without waiting for it', async () => {
    const again = Promise.withResolvers<DocumentReading>();
    const asked = Promise.withResolvers<void>();
    let calls = 0;
    const read = async () => {
      calls += 1;
      if (calls <= 2) return FAILED;
      asked.resolve();
      return calls === 3 ? again.promise : NOTHING;
    };
    const given = await givenConsole({}, {}, { reader: { read } });
    const id = await given.submitted();
    await untilRead(given, id, 'failed');
    const { status, text } = await given.get(`/review/${id}`);
    expect(status).toBe(200);
    expect(text).not.toContain('reading-mark');
    await asked.promise;
    again.resolve(FRONT);
    await untilRead(given, id, 'read');
    expect((await given.get(`/review/${id}`)).text).toContain('reading-mark');
  });
});

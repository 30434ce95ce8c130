import { type DocumentReader, type DocumentReading, READING_WAIT_MS } from '@countersign/domain';
import { READ_PASSPORT } from '@countersign/test-support/records/document-reading';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { describe, expect, it } from 'vitest';
import { type GivenFlow, givenFlow, walk } from '../../test-support/flow.ts';
import type { Shown } from '../../test-support/subject-browser.ts';

/** A reader that answers when the test says so. */
function slowReader(): DocumentReader & { answer(reading: DocumentReading): Promise<void> } {
  const waiting: ((reading: DocumentReading) => void)[] = [];
  return {
    read: () => new Promise((resolve) => waiting.push(resolve)),
    async answer(reading) {
      for (const resolve of waiting.splice(0)) resolve(reading);
      // The readings are stored in the background.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

type Given = GivenFlow & { readonly reader: ReturnType<typeof slowReader>; readonly details: Shown };

/** A subject that has sent the pictures of its document, of which none is read yet. */
async function givenPictures(options: Parameters<typeof givenFlow>[0] = {}): Promise<Given> {
  const reader = slowReader();
  const given = await givenFlow({ asksAll: false, ...options, reader });
  const { end } = await walk(given, await given.start(), 'details');
  return { ...given, reader, details: end };
}

const heldBy = ({ document }: Shown, name: string) =>
  document.querySelector(`[name="${name}"]`)?.getAttribute('value');

/** The values that are shown as text, in the form's order. */
const textsOf = ({ document }: Shown) =>
  [...document.querySelectorAll('.read-value bdi')].map(({ textContent }) => textContent);

/** Whether the form offers to fill in what was read. */
const offersFill = ({ document }: Shown) => {
  const offer = document.querySelector('[data-reading]');
  return offer !== null && !offer.hasAttribute('hidden');
};

const hintOf = ({ document }: Shown, id: string) => document.getElementById(`field-${id}-hint`)?.textContent;

const FILL = { name: 'rows', value: 'read' };

describe('the screen after the pictures', () => {
  it('waits for the reading, refreshes once without a script, and leads to the form', async () => {
    const { details, browser } = await givenPictures();
    expect(details.heading).toBe('What does the document say?');
    expect(details.document.querySelector('[role=status]')?.textContent).toBe('Reading your document …');
    expect(details.document.querySelector('#page-form')).toBeNull();
    const form = details.document.querySelector('a[data-reading-wait]')?.getAttribute('href') ?? '';
    expect(details.document.querySelector('noscript meta')?.getAttribute('content')).toBe(`2;url=${form}`);
    const page = await browser.open(form);
    expect(page.document.querySelector('#page-form')).not.toBeNull();
    expect(offersFill(page)).toBe(false);
  });

  it('shows sure values as text, and fills names into open fields', async () => {
    const { browser, address, reader, read } = await givenPictures();
    await reader.answer(READ_PASSPORT);
    const page = await browser.open(address('details'));
    expect(page.heading).toBe('Is this right?');
    expect(textsOf(page)).toEqual(['L01X00T47', '1 August 2031', '12 August 1964', 'Germany']);
    expect([heldBy(page, 'firstName'), heldBy(page, 'lastName')]).toEqual(['Anna-Lena', 'Mueller']);
    expect(hintOf(page, 'lastName')).toBe('Read from the picture. Enter it as printed');
    expect(offersFill(page)).toBe(false);
    const next = await browser.submit(page, { lastName: 'Müller' });
    expect(next.address).toMatch(/\/selfie$/);
    expect((await read()).steps).toMatchObject({
      document: { answers: { number: 'L01X00T47', expiresOn: '2031-08-01' } },
      person: {
        answers: {
          firstName: 'Anna-Lena',
          lastName: 'Müller',
          dateOfBirth: '1964-08-12',
          nationalities: ['DE'],
        },
      },
    });
  });

  it('an edited value is shown again as a field, with what the document reads', async () => {
    const { browser, address, reader } = await givenPictures({ language: 'de' });
    await reader.answer(READ_PASSPORT);
    const page = await browser.open(address('details'));
    const again = await browser.submit(page, { number: 'L01X00T48', firstName: '' });
    expect(again.errors.map(({ target }) => target)).toEqual(['field-firstName']);
    expect(textsOf(again)).toEqual(['1. August 2031', '12. August 1964', 'Deutschland']);
    expect(heldBy(again, 'number')).toBe('L01X00T48');
    expect(hintOf(again, 'number')).toMatch(/^Auf Ihrem Dokument steht .?L01X00T47.?\. Eine Person prüft das\.$/);
  });

  it('the page of all answers says what the document reads beside an edited value, and beside no other', async () => {
    const { browser, address, reader, typed } = await givenPictures();
    await reader.answer(READ_PASSPORT);
    await browser.submit(await browser.open(address('details')), { number: 'L01X00T48', lastName: 'Müller' });
    await browser.upload(await browser.open(address('selfie')), newJpeg());
    await browser.submit(await browser.open(address('selfie')));
    const check = await browser.submit(await browser.open(address('address')), typed.address);
    expect(check.address).toMatch(/\/check$/);
    const notes = [...check.document.querySelectorAll('.answers .hint')].map(({ textContent }) => textContent);
    expect(notes).toEqual([expect.stringMatching(/^Your document reads .?L01X00T47.?\. A person will check\.$/)]);
  });

  it('a read value that fails a rule is shown as a field with its message', async () => {
    const { browser, address, reader } = await givenPictures();
    await reader.answer({
      ...READ_PASSPORT,
      fields: { ...READ_PASSPORT.fields, expiresOn: { value: '2020-01-01', sure: true } },
    });
    const again = await browser.submit(await browser.open(address('details')));
    expect(again.errors).toEqual([
      { message: 'This document has expired. Use one that is still valid', target: 'field-expiresOn' },
    ]);
    expect(textsOf(again)).not.toContain('1 January 2020');
  });

  it('a late reading is offered in a form with typed answers, and fills only empty fields', async () => {
    const { browser, address, reader, clock } = await givenPictures();
    clock.advance(READING_WAIT_MS);
    const page = await browser.open(address('details'));
    expect(page.document.querySelector('[data-reading=late]')?.hasAttribute('hidden')).toBe(true);
    await reader.answer(READ_PASSPORT);
    const refused = await browser.submit(page, { lastName: 'Müller' });
    expect(refused.errors.length).toBeGreaterThan(0);
    expect(offersFill(refused)).toBe(true);
    const filled = await browser.submit(refused, {}, FILL);
    expect(textsOf(filled)).toHaveLength(4);
    expect([heldBy(filled, 'firstName'), heldBy(filled, 'lastName')]).toEqual(['Anna-Lena', 'Müller']);
    expect(offersFill(filled)).toBe(false);
  });

  it('answers that were given before the reading came stay', async () => {
    const { browser, address, reader, clock, typed } = await givenPictures();
    clock.advance(READING_WAIT_MS);
    await browser.submit(await browser.open(address('details')), typed.details);
    await reader.answer(READ_PASSPORT);
    const again = await browser.open(address('details'));
    expect(heldBy(again, 'number')).toBe('ABC123456');
    expect(textsOf(again)).toEqual([]);
  });

  it.each([
    ['a picture in which nothing is read', { outcome: 'nothing', readerVersion: '1', fields: {} }],
    ['a reader that fails', { outcome: 'failed', readerVersion: '1', fields: {} }],
  ] as const)('%s: the form without a word about it', async (_what, reading) => {
    const { browser, address, reader } = await givenPictures();
    await reader.answer(reading);
    const page = await browser.open(address('details'));
    expect(page.document.querySelector('#page-form')).not.toBeNull();
    expect(page.html).not.toMatch(/data-reading|read-value|reading\.js/);
  });

  it('a client that keeps readings for reviewers gets a form that does not mention them', async () => {
    const given = await givenPictures();
    await given.countersign.flowSettings.change(given.clientId, {
      placeOfBirth: false,
      proofOfAddress: false,
      readingIsAdvice: true,
      familyNameIndex: false,
      warningsInDetails: false,
    });
    await given.reader.answer(READ_PASSPORT);
    const page = await given.browser.open(given.address('details'));
    expect(page.html).not.toMatch(/data-reading|read-value|reading\.js/);
  });

  it('the screen of the document itself stays as it was answered', async () => {
    const { browser, address, reader } = await givenPictures();
    await reader.answer({
      ...READ_PASSPORT,
      fields: { ...READ_PASSPORT.fields, issuingCountry: { value: 'PL', sure: true } },
    });
    expect(textsOf(await browser.open(address('document')))).toEqual([]);
  });

  it("the details of a business's representative are filled in too", async () => {
    const { browser, address, reader } = await givenPictures({ type: 'kyb' });
    await reader.answer(READ_PASSPORT);
    expect(textsOf(await browser.open(address('details')))).toEqual(['L01X00T47', '1 August 2031']);
  });
});

it('no page mentions readings without a reader', async () => {
  const given = await givenFlow();
  await walk(given, await given.start());
  for (const { html } of given.browser.seen) expect(html).not.toMatch(/data-reading|read-value|reading\.js/);
});

import type { ReviewedVerification, ReviewWarning, StoredReading } from '@countersign/domain';
import { beforeAll, expect, it } from 'vitest';
import { givenCases } from '../../test-support/cases.ts';
import { drawn } from '../../test-support/drawn.ts';
import { aView, changedCase } from '../../test-support/review-view.ts';
import { Answers } from './answers.tsx';

let person: ReviewedVerification;
/** A person whose flow also asks for a proof of address, given as a picture. */
let proven: ReviewedVerification;
let business: ReviewedVerification;

beforeAll(async () => {
  const { countersign, principal, review, submitted } = await givenCases();
  person = await review.open(await submitted({ flags: ['blur'] }));
  const off = { placeOfBirth: false, readingIsAdvice: false, familyNameIndex: false, warningsInDetails: false };
  await countersign.flowSettings.change(principal.clientId, { ...off, proofOfAddress: true });
  proven = await review.open(await submitted());
  business = await review.open(await submitted({ type: 'kyb' }));
});

const answersOf = (reviewed: ReviewedVerification) => drawn(<Answers view={aView(reviewed)} />);

/** The ids of sections and rows in their order, without the step of a row. */
const outline = (html: string): string =>
  [...html.matchAll(/<(section|details|tr)[^>]* id="answer-([^"]+)"( open)?/g)]
    .map(([, tag, id = '', open = '']) => (tag === 'tr' ? id.split('-').slice(1).join('-') : `| ${id}${open}:`))
    .join(' ');

/** A row as text. */
const rowOf = (html: string, id: string): string =>
  drawnText(new RegExp(`<tr[^>]* id="answer-${id}"[\\s\\S]*?</tr>`).exec(html)?.[0] ?? '');
const drawnText = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const warned = (reviewed: ReviewedVerification, ...warnings: readonly ReviewWarning[]): ReviewedVerification => ({
  ...reviewed,
  warnings,
});

const DOCUMENT = 'type issuingCountry number expiresOn frontFileId backFileId';
const PRINTED = 'firstName lastName dateOfBirth nationalities';

it('the answers begin with the document step and what the document shows of other steps; consent and statement come last', () => {
  const { html, words } = answersOf(warned(person));
  expect(outline(html)).toBe(
    `| document: ${DOCUMENT} ${PRINTED} | selfie: fileId | address: line1 postalCode city country ` +
      '| consent: accepted version locale acceptedAt | attestation: accepted',
  );
  expect(html).toContain('class="rows for-1 for-2 for-3"');
  expect(words).not.toContain('Not answered yet.');
  expect(words).not.toContain('Blurred?');
  expect(html).toMatch(/<th scope="row"><input[^>]*>Number /);
  // The line of a folded step: three answers, without its files.
  expect(html).toContain('<bdi class="quiet">1 Sandbox Street, 10115, Sampletown</bdi>');
  expect(html).toContain('<span>Selfie</span> <bdi class="quiet"></bdi>');
});

it('the answers of a business are beside the pictures of their step; a single picture is named', () => {
  const { html } = answersOf(warned(business));
  const titles = [...html.matchAll(/<h3>([^<]*?) *<\/h3>/g)].map(([, title]) => title);
  expect(titles).toEqual(['Representative', 'Company documents']);
  expect([...html.matchAll(/class="rows ([^"]*)"/g)].map(([, classes]) => classes)).toEqual([
    'for-1 for-2 for-3',
    'for-4 for-5',
  ]);
  expect(outline(html)).toMatch(
    /^\| representative: .* \| documents: .* \| business: .* \| attestation: accepted$/,
  );
  const { files, steps } = business.verification;
  const onePage = files.map((file) => (file.pages === undefined ? file : { ...file, pages: 0 }));
  const single = answersOf(warned(changedCase(business, { files: onePage, steps })));
  expect(single.html).toContain('<h3>Registration extract ');
});

it('what the document shows of other steps is only beside the pictures of the document', () => {
  const { html } = answersOf(warned(proven));
  expect(outline(html)).toMatch(
    new RegExp(
      `^\\| document: ${DOCUMENT} ${PRINTED} \\| address: line1 \\S+ city country proofFileId \\| selfie: `,
    ),
  );
  expect([...html.matchAll(/<h3>([^<]*?) *<\/h3>/g)].map(([, title]) => title)).toEqual([
    'Identity document',
    'Proof of address',
  ]);
});

it('the answers for more pictures than the stylesheet has classes for have no class', () => {
  const files = business.verification.files.map((file) =>
    file.pages === undefined ? file : { ...file, pages: 6 },
  );
  expect([...answersOf(changedCase(business, { files })).html.matchAll(/class="rows ([^"]*)"/g)][1]?.[1]).toBe(
    'for-4 for-5 for-6 for-7 for-8 for-9',
  );
  const more = files.map((file) => (file.pages === undefined ? file : { ...file, pages: 7 }));
  expect(
    [...answersOf(changedCase(business, { files: more })).html.matchAll(/class="rows ([^"]*)"/g)][1]?.[1],
  ).toBe('');
});

it('answers without a picture are folded; a line says if there are no answers', () => {
  const { html } = answersOf(warned(changedCase(person, { files: [] })));
  expect(outline(html)).toBe(
    `| document: ${DOCUMENT} | person: ${PRINTED} | selfie: fileId | address: line1 postalCode city country ` +
      '| consent: accepted version locale acceptedAt | attestation: accepted',
  );
  expect(html).not.toContain('<section');
  expect(html).not.toContain('<h3>');
  const unanswered = answersOf(warned(changedCase(person, { files: [], steps: {} })));
  expect(unanswered.words).toBe('Not answered yet.');
});

it('a folded step is open if it has a warning, an earlier answer, or is asked for again', () => {
  const { person: answered } = person.verification.steps;
  const warning = { code: 'name_mismatch', step: 'address', path: '' } as const;
  for (const path of ['', 'city']) {
    const shown = outline(answersOf(warned(person, { ...warning, path })).html);
    expect(shown.match(/\w+ open/g)).toEqual(['address open']);
  }
  // An answer that the document shows too is beside its picture, with its warnings.
  const besides = warned(person, { ...warning, step: 'person', path: 'firstName' });
  expect(outline(answersOf(besides).html)).not.toContain('| person');
  expect(outline(answersOf(warned(person, { ...warning, step: 'person' })).html)).toContain('| person open: |');

  const middleNames = { ...answered, answers: { ...answered?.answers, middleNames: 'King' } };
  const named = changedCase(person, {
    steps: { ...person.verification.steps, ...(answered && { person: middleNames }) },
  });
  expect(outline(answersOf(warned(named)).html)).toContain('| person: middleNames | selfie');

  const again = changedCase(person, { status: 'action_needed', awaiting: ['address'], request: { items: [] } });
  const { html } = answersOf(warned(again));
  expect(outline(html)).toContain('| address open: ');
  expect(outline(html)).toContain('| consent: ');
  expect(html.match(/Asked for again/g)).toHaveLength(1);
});

it('earlier answers follow the current ones, newest first, with changes marked', () => {
  const { address } = person.verification.steps;
  const earlier = (line1: string, at: string, more: object = {}) => ({
    step: 'address' as const,
    answers: { ...address?.answers, line1, ...more },
    completedAt: at,
    replacedAt: at,
    version: 1,
  });
  const { html } = answersOf(
    warned(
      changedCase(person, {
        earlierAnswers: [
          earlier('1 Old Street', '2026-01-12T12:00:00.000Z', { line2: 'Attic' }),
          earlier('1 Sandbox Street', '2026-01-13T12:00:00.000Z', { city: 'Elsewhere' }),
        ],
      }),
    ),
  );
  expect(outline(html)).toContain('| address open: line1 postalCode city country line2');
  expect(rowOf(html, 'address-line1')).toBe(
    'Address line 1 changed 1 Sandbox Street 1 Sandbox Street 1 Old Street',
  );
  expect(rowOf(html, 'address-line2')).toBe('Address line 2 changed Not given Not given Attic');
  expect(rowOf(html, 'address-city')).toBe('City changed Sampletown Elsewhere Sampletown');
  expect(rowOf(html, 'address-country')).toBe('Country Germany (DE) Germany (DE) Germany (DE)');
  expect([...html.matchAll(/class="is-changed"/g)]).toHaveLength(3);
  expect([...html.matchAll(/class="table answers has-earlier"/g)]).toHaveLength(1);
  expect(html.match(/<thead class="visually-hidden">/g)).toHaveLength(5);
  const [head = ''] = /<thead><tr>.*?<\/tr>/.exec(html) ?? [];
  expect(drawnText(head)).toBe(
    'Field Current value 15 Jan 2026, 12:00 UTC Earlier value 13 Jan 2026, 12:00 UTC Earlier value 12 Jan 2026, 12:00 UTC',
  );
});

it('a warning is shown once: beside its answer, or below the table of its step', () => {
  const warning = { code: 'name_mismatch', step: 'document' } as const;
  for (const [path, place] of [
    ['', 'document'],
    ['number', 'number'],
  ] as const) {
    const { html } = answersOf(warned(person, { ...warning, path }));
    expect(html.match(/warning-mark/g)).toHaveLength(1);
    expect(rowOf(html, `document-${place}`).includes('The name differs')).toBe(path !== '');
  }
  const ofOther = answersOf(warned(person, { ...warning, step: 'address', path: '' }));
  expect(ofOther.html.match(/warning-mark/g)).toHaveLength(1);
  expect(ofOther.html).toMatch(/<\/table><\/div><span class="warning-mark/);
  const sameKey = answersOf(warned(person, { ...warning, step: 'address', path: 'number' }));
  expect(sameKey.html).not.toContain('warning-mark');
});

it('each value that was read is beside the answer of the document, with its mark', () => {
  const [front] = person.verification.files;
  const reading: StoredReading = {
    fileId: front?.id ?? '',
    sha256: front?.sha256 ?? '',
    clientId: person.verification.clientId,
    verificationId: person.verification.id,
    attempts: 1,
    isOffered: true,
    outcome: 'read',
    readerVersion: '1',
    fields: { documentNumber: { value: 'L01X00T48', sure: true }, lastName: { value: 'LOVELACE', sure: false } },
    readAt: person.verification.requestedAt,
  };
  const read = { ...warned(person), readings: [reading] };
  const { html } = answersOf(read);
  expect([...html.matchAll(/class="table answers([^"]*)"/g)].map(([, classes]) => classes)).toEqual([
    ' is-read',
    ' is-read',
    '',
    '',
    '',
    '',
  ]);
  expect(rowOf(html, 'document-number')).toMatch(/^Number L01X00T47 L01X00T48 ≠ Differs /);
  expect(rowOf(html, 'document-expiresOn')).toMatch(/^Expires on 31 May 2031 • /);
  expect(rowOf(html, 'document-frontFileId')).toBe('Front Document, front 68 bytes');
  expect(rowOf(html, 'person-lastName')).toMatch(/^Last name Lovelace LOVELACE ✓ /);
  expect(html.match(/mark-legend/g)).toHaveLength(1);
  // The row shows the value that was read already.
  const differs = { code: 'reading_differs', step: 'document', path: 'number', detail: 'L01X00T48' } as const;
  expect(rowOf(answersOf({ ...read, warnings: [differs] }).html, 'document-number')).not.toContain('(L01X00T48)');
});

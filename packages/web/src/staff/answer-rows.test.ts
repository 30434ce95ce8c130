import { SUBJECT_TYPES } from '@countersign/domain';
import { currentFlow, placedFields, type Step, stepOf, stepsOf } from '@countersign/domain/flows';
import { describe, expect, it } from 'vitest';
import { hasMessage, translator } from '../site/messages.ts';
import { answerRows } from './answer-rows.ts';

const reader = { t: translator('en'), language: 'en' } as const;
const fieldsOf = (step: string): Step['fields'] =>
  (stepOf(currentFlow('kyc'), step) ?? stepOf(currentFlow('kyb'), step))?.fields ?? {};
const rows = (step: string, answers: Parameters<typeof answerRows>[1]) =>
  answerRows(fieldsOf(step), answers, reader).map(({ label, value }) => `${label} = ${value}`);

describe('answerRows', () => {
  it('lists answers in the order of the fields, whatever order a database returned', () => {
    expect(
      rows('person', { lastName: 'B', placeOfBirth: { country: 'DE', city: 'Ulm' }, firstName: 'A' }),
    ).toEqual([
      'First name = A',
      'Last name = B',
      'Place of birth: City = Ulm',
      'Place of birth: Country = Germany (DE)',
    ]);
  });

  it('numbers people and shows percentages, choices and empty lists in words', () => {
    const owner = { ownershipPercent: 33.333, controlType: 'voting_rights' };
    const answers = { beneficialOwners: [owner, { firstName: 'B' }], noBeneficialOwner: true, seniorManagers: [] };
    expect(rows('ownership', answers)).toEqual([
      'No beneficial owner = Yes',
      'Beneficial owner 1: Share = 33.333%',
      'Beneficial owner 1: Kind of control = Voting rights',
      'Beneficial owner 2: First name = B',
      'Senior manager = None',
    ]);
  });

  it('shows dates, times, languages, countries and lists in words', () => {
    expect(rows('person', { dateOfBirth: '1980-02-03', nationalities: ['DE', 'FR'] })).toEqual([
      'Date of birth = 3 February 1980',
      'Nationalities = Germany (DE), France (FR)',
    ]);
    expect(rows('consent', { locale: 'de', acceptedAt: '2026-03-01T10:00:00.000Z' })).toEqual([
      'Language = German',
      'Accepted at = 1 Mar 2026, 10:00 UTC',
    ]);
  });

  it('shows unknown answers last and as they are', () => {
    expect(rows('document', { shoeSize: 43, type: 'library_card', tags: ['a', 'b'], gone: null })).toEqual([
      'Kind of document = library_card',
      'shoeSize = 43',
      'tags = a, b',
      'gone = null',
    ]);
  });

  it('names the file of a file field only', () => {
    const [front] = answerRows(fieldsOf('representative'), { document: { frontFileId: 'file-1' } }, reader);
    expect(front).toMatchObject({ path: 'document.frontFileId', label: 'Document: Front', fileId: 'file-1' });
    expect(answerRows(fieldsOf('person'), { firstName: 'file-1' }, reader)[0]?.fileId).toBeNull();
  });

  it('every field and choice of the built-in flows has a text for reviewers', () => {
    const places = SUBJECT_TYPES.flatMap((type) =>
      stepsOf(currentFlow(type)).flatMap((step) => placedFields(stepOf(currentFlow(type), step)?.fields ?? {})),
    );
    const names = places.flatMap(({ key, field }) => [
      `wording:field.${key}`,
      ...(field.kind === 'choice' ? field.of.map((value) => `wording:value.${value}`) : []),
    ]);
    expect(names.filter((name) => !hasMessage(name))).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import { actionNeeded, answered, CONTEXT, file, pending } from '../../test-support/verifications.ts';
import { isCountersignError } from '../errors.ts';
import { currentFlow, type StepKey, type SubjectType, stepsOf } from './flow.ts';
import { saveDraft } from './save-draft.ts';
import { attachFile } from './subject-moves.ts';
import type { Verification } from './verification.ts';

/** At the given step, nothing of it answered. */
function at(type: SubjectType, step: StepKey): Verification {
  const before = stepsOf(currentFlow(type)).slice(0, stepsOf(currentFlow(type)).indexOf(step));
  return before.reduce<Verification>(answered, pending(type));
}

const save = (verification: Verification, step: string, fields: readonly string[], input: unknown) =>
  saveDraft(verification, { step, fields, input }, CONTEXT).next;

/** What is wrong, as `path code`; empty where it was kept. */
function issuesOf(verification: Verification, step: string, fields: readonly string[], input: unknown): string[] {
  try {
    save(verification, step, fields, input);
    return [];
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    return (error.data?.issues ?? []).map(({ path, code }) => `${path} ${code}`);
  }
}

describe('saveDraft: a part of a step', () => {
  const start = at('kyc', 'person');

  it('is saved, trimmed, with the earlier draft', () => {
    const named = save(start, 'person', ['firstName', 'lastName'], { firstName: ' Ada ', lastName: 'Lovelace' });
    const born = save(named, 'person', ['dateOfBirth'], { dateOfBirth: '1990-12-10' });
    expect(born.drafts).toEqual({
      person: { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-10' },
    });
    expect(born.version).toBe(start.version + 2);
  });

  it('clears the fields that it leaves out', () => {
    const named = save(start, 'person', ['firstName', 'middleNames'], { firstName: 'Ada', middleNames: 'King' });
    const renamed = save(named, 'person', ['firstName', 'middleNames'], { firstName: 'Ada' });
    expect(renamed.drafts).toEqual({ person: { firstName: 'Ada' } });
  });

  it('is no event', () => {
    const part = { step: 'person', fields: ['firstName'], input: { firstName: 'Ada' } };
    expect(saveDraft(start, part, CONTEXT).event).toBeNull();
  });

  it('may belong to a step that a reviewer asked for again', () => {
    expect(save(actionNeeded(['person']), 'person', ['firstName'], { firstName: 'Ada' }).drafts).toEqual({
      person: { firstName: 'Ada' },
    });
  });

  it('of a step that is not open is refused', () => {
    const attempt = () => save(start, 'address', ['city'], { city: 'X' });
    expect(attempt).toThrow(expect.objectContaining({ code: 'STEP_OUT_OF_TURN' }));
  });
});

describe('saveDraft: only issues within the part count', () => {
  const person = at('kyc', 'person');
  const document = at('kyc', 'document');
  const ownership = at('kyb', 'ownership');
  const representative = at('kyb', 'representative');
  const [director] = (GOOD_ANSWERS.kyb.ownership as { directors: object[] }).directors;
  const owner = { ...director, ownershipPercent: 60, controlType: 'direct_shares', country: 'DE' };

  it.each<[what: string, Verification, StepKey, fields: string[], input: object, issues: string[]]>([
    ['a good field', person, 'person', ['firstName'], { firstName: 'Ada' }, []],
    ['a missing one', person, 'person', ['firstName', 'lastName'], { firstName: 'A' }, ['lastName required']],
    ['an empty one', person, 'person', ['firstName'], { firstName: '  ' }, ['firstName required']],
    ['a rule', person, 'person', ['dateOfBirth'], { dateOfBirth: '2015-01-01' }, ['dateOfBirth too_young']],
    [
      'a field within a field',
      person,
      'person',
      ['placeOfBirth'],
      { placeOfBirth: { city: 'X', country: 'XX' } },
      ['placeOfBirth.country not_a_country'],
    ],
    ['the back comes later', document, 'document', ['type'], { type: 'id_card' }, []],
    ['an unknown file', document, 'document', ['frontFileId'], { frontFileId: 'f' }, ['frontFileId file_missing']],
    ['owners come later', ownership, 'ownership', ['directors'], { directors: [director] }, []],
    [
      'shares over 100',
      ownership,
      'ownership',
      ['beneficialOwners'],
      { beneficialOwners: [owner, owner] },
      ['beneficialOwners shares_over_100'],
    ],
    [
      'a part of a document',
      representative,
      'representative',
      ['document.type', 'document.expiresOn'],
      { document: { type: 'id_card', expiresOn: '2020-01-01' } },
      ['document.expiresOn document_expired'],
    ],
  ])('%s', (_what, verification, step, fields, input, issues) => {
    expect(issuesOf(verification, step, fields, input)).toEqual(issues);
  });

  it('a rule sees the earlier draft', () => {
    const typed = save(document, 'document', ['type'], { type: 'id_card' });
    const uploaded = attachFile(typed, file('document', 'document_front')).next;
    const front = save(uploaded, 'document', ['frontFileId'], { frontFileId: 'document_front' });
    expect(issuesOf(front, 'document', ['backFileId'], {})).toEqual(['backFileId required']);
    const passport = save(front, 'document', ['type'], { type: 'passport' });
    expect(issuesOf(passport, 'document', ['backFileId'], {})).toEqual([]);
  });

  it('parts of one group are merged', () => {
    const typed = save(representative, 'representative', ['document.type'], { document: { type: 'passport' } });
    const numbered = save(typed, 'representative', ['document.number'], { document: { number: ' 1 ' } });
    expect(numbered.drafts).toEqual({ representative: { document: { type: 'passport', number: '1' } } });
  });
});

describe('saveDraft: an invalid part', () => {
  const start = at('kyc', 'person');

  it.each<[what: string, fields: string[], input: unknown, issues: string[]]>([
    ['unknown field', ['nickname'], { nickname: 'A' }, ['fields.0 unknown_field']],
    ['inherited field', ['toString'], {}, ['fields.0 unknown_field']],
    ['prototype', ['__proto__'], JSON.parse('{"__proto__":{"a":1}}'), ['fields.0 unknown_field']],
    ['within a text', ['firstName.length'], {}, ['fields.0 unknown_field']],
    ['more than its fields', ['firstName'], { firstName: 'A', lastName: 'B' }, ['lastName unknown_field']],
    [
      'more within its fields',
      ['placeOfBirth.city'],
      { placeOfBirth: { city: 'X', country: 'DE' } },
      ['placeOfBirth.country unknown_field'],
    ],
    ['no object', ['firstName'], 'Ada', [' invalid']],
    ['a list', ['firstName'], ['Ada'], [' invalid']],
    ['too long, spaces apart', ['firstName'], { firstName: ` ${'x'.repeat(101)}` }, ['firstName too_long']],
  ])('%s is refused', (_what, fields, input, issues) => {
    expect(issuesOf(start, 'person', fields, input)).toEqual(issues);
  });
});

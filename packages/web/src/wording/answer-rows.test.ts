import { describe, expect, it } from 'vitest';
import { translator } from '../site/messages.ts';
import { rowsOf } from './answer-rows.ts';

const reader = { t: translator('en'), language: 'en' } as const;
const told = (answers: Parameters<typeof rowsOf>[0]) =>
  rowsOf(answers, reader).map(({ label, value }) => `${label} = ${value}`);

describe('the rows of answers', () => {
  it('stand in the order of the forms, whatever order a database gave them back in', () => {
    const rows = told({ lastName: 'B', placeOfBirth: { country: 'DE', city: 'Ulm' }, firstName: 'A' });
    expect(rows).toEqual([
      'First name = A',
      'Last name = B',
      'Place of birth: City = Ulm',
      'Place of birth: Country = Germany (DE)',
    ]);
  });

  it('number people, and say shares, choices and answers without words in words', () => {
    const owner = { ownershipPercent: 33.333, controlType: 'voting_rights' };
    expect(
      told({ beneficialOwners: [owner, { firstName: 'B' }], noBeneficialOwner: true, seniorManagers: [] }),
    ).toEqual([
      'Beneficial owner 1: Share = 33.333 %',
      'Beneficial owner 1: Kind of control = Voting rights',
      'Beneficial owner 2: First name = B',
      'No beneficial owner = Yes',
      'Senior manager = None',
    ]);
  });

  it('show what this page does not know as it is, rather than not at all', () => {
    expect(told({ shoeSize: 43, type: 'library_card', tags: ['a', 'b'], gone: null })).toEqual([
      'Kind of document = library_card',
      'shoeSize = 43',
      'tags = a, b',
      'gone = null',
    ]);
  });

  it('know which field names a file', () => {
    const [row] = rowsOf({ document: { frontFileId: 'file-1' } }, reader);
    expect(row).toMatchObject({ path: 'document.frontFileId', label: 'Document: Front', fileId: 'file-1' });
    expect(rowsOf({ firstName: 'file-1' }, reader)[0]?.fileId).toBeNull();
  });
});

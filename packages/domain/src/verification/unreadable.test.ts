import { describe, expect, it } from 'vitest';
import { pending } from '../../test-support/verifications.ts';
import { BUILT_IN_FLOWS, currentFlow } from './flow.ts';
import { fromRecord } from './from-record.ts';
import { isUnreadable, unreadableRecord } from './unreadable.ts';
import { toRecord } from './verification-record.ts';

const { answers: _, reviewData: __, ...columns } = toRecord(pending());

describe.each([
  ['an error', new Error('unknown key')],
  ['any other value', 'unknown key'],
])('a record that cannot be read because of %s', (_what, fault) => {
  const record = () => unreadableRecord(columns, fault);
  const thrownBy = (act: () => unknown): unknown => {
    try {
      return act();
    } catch (error) {
      return [error];
    }
  };

  it('keeps its columns, and throws the fault for its documents', () => {
    expect(record().subjectReference).toBe('user_1');
    expect(isUnreadable(record())).toBe(true);
    expect(thrownBy(() => record().answers)).toEqual([fault]);
    expect(thrownBy(() => record().reviewData)).toEqual([fault]);
    expect(thrownBy(() => fromRecord(record(), BUILT_IN_FLOWS))).toEqual([fault]);
  });

  it.each(['answers', 'reviewData'] as const)('is never copied without its %s', (document) => {
    const { [document]: descriptor } = Object.getOwnPropertyDescriptors(record());
    expect(descriptor?.enumerable).toBe(true);
    expect(thrownBy(() => ({ ...record() }))).toEqual([fault]);
  });
});

it('a record with documents can be read, and so can one without the property', () => {
  expect(isUnreadable(toRecord(pending()))).toBe(false);
  expect(isUnreadable(columns as ReturnType<typeof toRecord>)).toBe(false);
});

it('a record of an unknown flow is corrupt', () => {
  const record = { ...toRecord(pending()), flowVersion: 99 };
  expect(() => fromRecord(record, BUILT_IN_FLOWS)).toThrow(
    'The stored verification verification-1 is corrupt: unknown version 99 of the kyc flow',
  );
});

it('a catalogue without a flow of a type has no current one', () => {
  expect(() => currentFlow('kyc', { ...BUILT_IN_FLOWS, kyc: [] })).toThrow('There is no flow of type kyc');
});

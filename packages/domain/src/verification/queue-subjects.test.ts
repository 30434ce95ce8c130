import { expect, it } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { inState, submitted } from '../../test-support/verifications.ts';
import { CountersignError } from '../errors.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { createQueueSubjects } from './queue-subjects.ts';
import { UnreadableVerificationError, unreadableRecord } from './unreadable.ts';
import type { Verification } from './verification.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';
import { toKept } from './warnings/kept-warnings.ts';

const step = (answers: object) => ({ answers, completedAt: '2026-03-01T10:00:00.000Z', version: 2 });
const ADA = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-01-01', nationalities: ['GB'] };
const LICENCE = { type: 'driving_licence', issuingCountry: 'GB', number: 'L01', frontFileId: 'front' };

/** Reads the verifications with these ids: a record, a fault, or none. */
function given(stored: Readonly<Record<string, Verification | VerificationRecord | Error | null>>) {
  const faults: unknown[] = [];
  const verifications: Pick<VerificationRepository, 'findForAnyClient'> = {
    async findForAnyClient(id) {
      const found = stored[id] ?? null;
      if (found instanceof Error) throw found;
      return found === null || 'answers' in found ? found : toRecord(found);
    },
  };
  const service = createQueueSubjects({
    verifications: portWith<VerificationRepository>(verifications),
    flows: BUILT_IN_FLOWS,
    onFault: (fault) => faults.push(fault),
  });
  return { faults, subjects: () => service.subjects(Object.keys(stored)) };
}

const answered = (steps: object, more: object = {}): Verification => ({
  ...submitted(),
  steps: { ...submitted().steps, ...steps },
  ...more,
});

it('a row has the name, the document and its country', async () => {
  const ada = answered({ person: step(ADA), document: step(LICENCE) });
  const { subjects } = given({ ada });
  expect(await subjects()).toEqual(
    new Map([
      [
        'ada',
        {
          state: 'read',
          name: 'Ada Lovelace',
          document: 'driving_licence',
          country: 'GB',
          isResubmitted: false,
          warnings: null,
        },
      ],
    ]),
  );
});

it('a row of a business has its name and the country of its incorporation, and no document', async () => {
  const { subjects } = given({ business: submitted('kyb'), begun: inState('pending', 'kyb') });
  const [business, begun] = (await subjects()).values();
  expect(business).toMatchObject({ name: 'Müller & Söhne GmbH', document: null, country: 'DE' });
  expect(begun).toMatchObject({ name: null, document: null, country: null });
});

it('a row has nothing of what the subject has not answered', async () => {
  const { subjects } = given({ begun: inState('pending') });
  const nothing = {
    state: 'read',
    name: null,
    document: null,
    country: null,
    isResubmitted: false,
    warnings: null,
  };
  expect((await subjects()).get('begun')).toEqual(nothing);
});

it('a row says that the subject answered again what a reviewer had asked for', async () => {
  const earlier = { ...step(LICENCE), step: 'document', replacedAt: '2026-03-02T10:00:00.000Z' };
  const again = answered({ person: step(ADA) }, { earlierAnswers: [earlier] });
  expect((await given({ again }).subjects()).get('again')).toMatchObject({ isResubmitted: true });
});

it('a row has the number of its kept warnings, unless they are of other rules or another submission', async () => {
  const warning = { code: 'under_age', step: 'person', path: 'dateOfBirth' } as const;
  const warnings = [warning, warning, { ...warning, path: '' }];
  const record = toRecord(answered({ person: step(ADA) }));
  const kept = toKept(warnings, record);
  const clean = { ...record, ...toKept([], record) };
  const { subjects } = given({
    two: { ...record, ...kept },
    clean,
    stale: { ...record, ...kept, warnings: { ...kept.warnings, rules: 0 } },
    redone: { ...record, ...toKept(warnings, { submittedAt: new Date('2026-02-01T10:00:00.000Z') }) },
  });
  const found = [...(await subjects())].map(([id, view]) => [id, 'warnings' in view ? view.warnings : view]);
  expect(found).toEqual([
    ['two', 2],
    ['clean', 0],
    ['stale', null],
    ['redone', null],
  ]);
});

it('a row of hidden data has none of it', async () => {
  const hidden = {
    ...inState('rejected'),
    erasureRequestedAt: new Date('2026-03-02T10:00:00.000Z'),
  } as Verification;
  expect((await given({ hidden }).subjects()).get('hidden')).toEqual({ state: 'hidden' });
});

it('damaged verifications keep their rows and go to onFault, and change no other row', async () => {
  const ada = answered({ person: step(ADA) });
  const torn = unreadableRecord(toRecord(submitted()), new Error('torn'));
  const { faults, subjects } = given({ forged: new Error('forged'), torn, gone: null, ada });
  const found = await subjects();
  expect([...found].map(([id, { state }]) => [id, state])).toEqual([
    ['forged', 'unreadable'],
    ['torn', 'unreadable'],
    ['ada', 'read'],
  ]);
  expect(faults).toEqual([expect.any(UnreadableVerificationError), expect.any(UnreadableVerificationError)]);
});

it('a row says that its data cannot be read at the moment, which is no damage', async () => {
  const down = new CountersignError('SERVICE_UNAVAILABLE');
  const { faults, subjects } = given({ down });
  expect(await subjects()).toEqual(new Map([['down', { state: 'unavailable' }]]));
  expect(faults).toEqual([down]);
});

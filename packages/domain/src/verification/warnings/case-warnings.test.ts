import { describe, expect, it } from 'vitest';
import { portWith } from '../../../test-support/port-with.ts';
import { aReading } from '../../../test-support/readings.ts';
import { inState, NOW, submitted } from '../../../test-support/verifications.ts';
import { CountersignError } from '../../errors.ts';
import type { StoredReading } from '../../reading/stored-reading.ts';
import { BUILT_IN_FLOWS } from '../flow.ts';
import { reject } from '../reviewer-moves.ts';
import type { Verification } from '../verification.ts';
import { toRecord, type VerificationRecord } from '../verification-record.ts';
import type { VerificationRepository } from '../verification-repository.ts';
import { createCaseWarnings } from './case-warnings.ts';
import { keptWarnings, toKept } from './kept-warnings.ts';
import type { ReadBefore } from './read-warnings.ts';
import type { ReviewWarning } from './review-warning.ts';

const UNDER_AGE: ReviewWarning = { code: 'under_age', step: 'person', path: 'dateOfBirth' };
const EXPIRED: ReviewWarning = { code: 'document_expired', step: 'document', path: 'expiresOn' };

const waiting = (id: string): Verification => ({ ...submitted(), id });
const fraud = (id: string): Verification => ({
  ...reject(submitted(), { reasonCodes: ['suspected_fraud'] }, NOW).next,
  id,
});
const placeOf = (id: string) => ({ clientId: 'client-1', verificationId: id });

interface Now {
  warnings: readonly ReviewWarning[];
  readings: readonly StoredReading[];
  /** How often a case changes before its warnings are stored. */
  lostRaces: number;
  /** What computing warnings throws. */
  fault?: Error;
  /** What warnings were last computed from. */
  before?: ReadBefore | undefined;
}

/** Stored cases, and what others they have. What is done is logged in order. */
function given(
  cases: readonly (Verification | VerificationRecord)[],
  othersOf: Readonly<Record<string, readonly Verification[]>> = {},
  onFault = (fault: unknown): void => {
    throw fault;
  },
) {
  const log: string[] = [];
  const stored = new Map(cases.map((one) => [one.id, 'answers' in one ? one : toRecord(one)]));
  const now: Now = { warnings: [UNDER_AGE], readings: [], lostRaces: 0 };
  const verifications: Partial<VerificationRepository> = {
    find: async (_clientId, id) => {
      log.push(`reads ${id}`);
      return stored.get(id) ?? null;
    },
    noteWarnings: async ({ verificationId: id, expectedVersion, warnings, severity }) => {
      now.lostRaces -= 1;
      if (now.lostRaces >= 0) return false;
      const record = stored.get(id);
      if (record?.version !== expectedVersion) return false;
      stored.set(id, { ...record, warnings, severity });
      return true;
    },
  };
  const caseWarnings = createCaseWarnings({
    clock: { now: () => NOW },
    flows: BUILT_IN_FLOWS,
    onFault,
    verifications: portWith<VerificationRepository>(verifications),
    documents: { of: async () => now.readings },
    readWarnings: async (_verification, before) => {
      if (now.fault !== undefined) throw now.fault;
      now.before = before;
      return now.warnings;
    },
    findOthers: async ({ id }) => {
      log.push(`compares ${id}`);
      return othersOf[id] ?? [];
    },
    sharesNothing: async ({ id }) => (othersOf[id] ?? []).length === 0,
    findSharing: async ({ id }) => {
      log.push(`looks for what shares with ${id}`);
      return new Set((othersOf[id] ?? []).map((other) => other.id));
    },
  });
  const recordOf = (id: string) => stored.get(id) ?? toRecord(waiting(id));
  const kept = (id: string) => keptWarnings(recordOf(id))?.map(({ code }) => code) ?? null;
  return { caseWarnings, now, log, kept, recordOf };
}

describe('warnings that are kept of a case', () => {
  it('warnings of an earlier submission count as none: they are computed again after a redo', async () => {
    const record = toRecord(waiting('redone'));
    const before = { submittedAt: new Date(NOW.getTime() - 1) };
    const { caseWarnings, now, kept } = given([{ ...record, ...toKept([EXPIRED], before) }]);
    expect(kept('redone')).toBe(null);
    expect(keptWarnings({ ...toKept([EXPIRED], before), submittedAt: null })).toBe(null);
    const keep = (unlessCurrent = true) => caseWarnings.keep(placeOf('redone'), { unlessCurrent });
    expect([await keep(), kept('redone'), await keep(false)]).toEqual(['changed', ['under_age'], 'unchanged']);
    now.warnings = [EXPIRED];
    expect([await keep(), kept('redone')]).toEqual(['unchanged', ['under_age']]);
  });

  it.each([
    [2, 'changed'],
    [3, 'not_waiting'],
  ])('keep: a case that changes during %i attempts is %s', async (lostRaces, outcome) => {
    const { caseWarnings, now, log } = given([waiting('busy')]);
    now.lostRaces = lostRaces;
    expect(await caseWarnings.keep(placeOf('busy'))).toBe(outcome);
    expect(log).toEqual(['reads busy', 'reads busy', 'reads busy']);
  });

  it.each([
    ['reported', new Error('damaged'), 1],
    ['not reported if the storage is unavailable', new CountersignError('SERVICE_UNAVAILABLE'), 0],
  ])('a fault in the background is %s', async (_what, fault, reports) => {
    const faults: unknown[] = [];
    const { caseWarnings, now } = given([waiting('one')], {}, (fault) => void faults.push(fault));
    now.fault = fault;
    caseWarnings.keepLater(placeOf('one'));
    await caseWarnings.settled();
    expect(faults).toEqual(Array(reports).fill(fault));
  });

  it('kept warnings are of the latest state, also if an opening computed others before', async () => {
    const { caseWarnings, now, kept, recordOf } = given([waiting('opened')]);
    await caseWarnings.of(recordOf('opened'), waiting('opened'), {});
    now.warnings = [EXPIRED];
    await caseWarnings.settled();
    expect(kept('opened')).toEqual(['document_expired']);
  });

  it('an opening of a decided case keeps nothing', async () => {
    const { caseWarnings, log, recordOf } = given([]);
    await caseWarnings.of(recordOf('decided'), inState('approved'), {});
    await caseWarnings.settled();
    expect(log).toEqual([]);
  });

  it('warnings are computed once, however often that is asked for before their turn', async () => {
    const { caseWarnings, log } = given([waiting('one'), waiting('two')]);
    for (const id of ['one', 'two', 'one', 'one']) caseWarnings.keepLater(placeOf(id));
    await caseWarnings.settled();
    expect(log).toEqual(['reads one', 'reads two']);
  });

  it('dropWaiting: the case whose turn has come is the last one that gets warnings', async () => {
    const cases = Array.from({ length: 300 }, (_, n) => waiting(`case-${n}`));
    const { caseWarnings, log, kept } = given(cases);
    for (const { id } of cases) caseWarnings.keepLater(placeOf(id));
    // Lets the first turn begin.
    await Promise.resolve();
    caseWarnings.dropWaiting();
    caseWarnings.keepLater(placeOf('later'));
    await caseWarnings.settled();
    expect([log, kept('case-0'), kept('case-1')]).toEqual([['reads case-0'], ['under_age'], null]);
  });

  it('warnings are computed again if that is asked for once their turn has begun', async () => {
    const { caseWarnings, log, now, kept } = given([waiting('one')]);
    caseWarnings.keepLater(placeOf('one'));
    await caseWarnings.settled();
    now.warnings = [EXPIRED];
    caseWarnings.keepLater(placeOf('one'));
    await caseWarnings.settled();
    expect([log, kept('one')]).toEqual([['reads one', 'reads one'], ['document_expired']]);
  });
});

describe('other cases after a change', () => {
  const REJECTED = [{ type: 'verification.noted' }, { type: 'verification.rejected' }] as const;
  const SUBMITTED = [{ type: 'verification.step_completed' }, { type: 'verification.submitted' }] as const;

  it('a rejection for fraud computes the warnings of every waiting case that shares something with it', async () => {
    const others = Array.from({ length: 50 }, (_, n) => waiting(`other-${n}`));
    const decided = { ...inState('approved'), id: 'decided' };
    const { caseWarnings, kept } = given([...others, decided], { fraud: [...others, decided] });
    caseWarnings.after(fraud('fraud'), REJECTED);
    await caseWarnings.settled();
    expect([...new Set(others.map(({ id }) => kept(id)?.join()))]).toEqual(['under_age']);
    expect(kept('decided')).toBe(null);
  });

  it('a rejection without fraud and a later change compute no warnings of other cases', async () => {
    const { caseWarnings, log } = given([waiting('other')], { rejected: [waiting('other')] });
    caseWarnings.after({ ...inState('rejected'), id: 'rejected' }, REJECTED);
    caseWarnings.after(fraud('rejected'), [{ type: 'verification.held' }]);
    await caseWarnings.settled();
    expect(log).toEqual([]);
  });

  it('warnings of another case are not read again if they have to be checked for nothing more', async () => {
    const [own, other] = [waiting('own'), waiting('other')];
    const { caseWarnings, log } = given([own, other], { own: [other] });
    caseWarnings.after(own, [{ type: 'verification.submitted' }]);
    await caseWarnings.settled();
    expect(log).toEqual(['compares own']);
  });

  const own = waiting('own');
  /** A case of another person with the same document and files. */
  const sharing = (status: 'submitted' | 'approved'): Verification => {
    const answers = { ...own.steps.person?.answers, lastName: 'Ono' };
    const steps = { ...own.steps, person: { answers, completedAt: NOW.toISOString(), version: 1 } };
    return { ...inState(status), id: 'other', subjectReference: 'user_2', steps };
  };
  const keeping = (...warnings: readonly ReviewWarning[]) => {
    const other = sharing('submitted');
    return { ...toRecord(other), ...toKept(warnings, other) };
  };
  const NUMBER: ReviewWarning = { code: 'used_by_another_person', step: 'document', path: 'number' };
  const FILE: ReviewWarning = { code: 'file_in_other_case', step: 'document', path: 'frontFileId' };

  it.each([
    ['not computed if all of its new warnings are kept', sharing('submitted'), [keeping(FILE, NUMBER)], 1],
    ['computed if one of its new warnings is not kept', sharing('submitted'), [keeping(NUMBER)], 2],
    ['computed if it has no warnings yet', sharing('submitted'), [toRecord(sharing('submitted'))], 2],
    ['not found if it is gone', sharing('submitted'), [], 2],
    ['not read if it was decided', sharing('approved'), [toRecord(sharing('approved'))], 0],
  ])('a compared case with the document of a submitted one is %s', async (_what, other, stored, reads) => {
    const { caseWarnings, log } = given([own, ...stored], { own: [other] });
    caseWarnings.after(own, SUBMITTED);
    await caseWarnings.settled();
    expect(log).toEqual(['compares own', ...Array(reads).fill('reads other')]);
  });

  it('a change compares other cases in its turn, and holds no answers for a later one', async () => {
    const other = waiting('other');
    const watched = new Proxy(other, {
      get(target, name) {
        log.push('looks at other');
        return Reflect.get(target, name);
      },
    });
    const shared = waiting('first');
    const { caseWarnings, log } = given([shared, other], { first: [watched] });
    caseWarnings.after(shared, SUBMITTED);
    caseWarnings.after(waiting('second'), SUBMITTED);
    await caseWarnings.settled();
    expect([...new Set(log)]).toEqual(['compares first', 'looks at other', 'compares second', 'reads second']);
    expect(log.lastIndexOf('looks at other')).toBeLessThan(log.indexOf('compares second'));
  });
});

describe('warnings that are kept with a submission', () => {
  const SUBMITTED = [{ type: 'verification.submitted' }] as const;
  const LABELS = { keyVersion: 1, rulesVersion: 1, labels: [] };

  it('caseWarnings.ahead: returns the warnings of a case that shares nothing; the same are not stored again after it', async () => {
    const own = waiting('own');
    const { caseWarnings, now, kept, log } = given([own]);
    const ahead = await caseWarnings.ahead(own, SUBMITTED, LABELS);
    expect(now.before).toEqual({ readings: [], others: [] });
    expect(ahead).toEqual({ kept: toKept([UNDER_AGE], own), labels: LABELS, readings: [] });
    caseWarnings.after(own, SUBMITTED, ahead);
    await caseWarnings.settled();
    expect([kept('own'), log]).toEqual([null, []]);
  });

  it('caseWarnings.after: compares a case that shared nothing with one that was submitted meanwhile', async () => {
    const [own, other] = [waiting('own'), waiting('other')];
    const others: Record<string, readonly Verification[]> = {};
    const { caseWarnings, kept, log } = given([own, other], others);
    const ahead = await caseWarnings.ahead(own, SUBMITTED, LABELS);
    others.own = [other];
    caseWarnings.after(own, SUBMITTED, ahead);
    await caseWarnings.settled();
    expect([kept('own'), log]).toEqual([null, ['compares own']]);
  });

  it.each([
    ['a reading that is stored meanwhile', [], [aReading()]],
    ['a picture that is read again meanwhile', [aReading()], [aReading({}, { readAt: new Date(2) })]],
  ])(
    'caseWarnings.after: stores other warnings than those kept with the submission after %s',
    async (_, before, later) => {
      const own = waiting('own');
      const { caseWarnings, now, kept } = given([own]);
      now.readings = before;
      const ahead = await caseWarnings.ahead(own, SUBMITTED, LABELS);
      Object.assign(now, { warnings: [EXPIRED], readings: later });
      caseWarnings.after(own, SUBMITTED, ahead);
      await caseWarnings.settled();
      expect(kept('own')).toEqual(['document_expired']);
    },
  );

  it('caseWarnings.ahead: returns nothing for a case that shares something, without labels, or for another change', async () => {
    const [own, other] = [waiting('own'), waiting('other')];
    const { caseWarnings } = given([own, other], { own: [other] });
    expect(await caseWarnings.ahead(own, SUBMITTED, LABELS)).toBe(undefined);
    expect(await caseWarnings.ahead(other, SUBMITTED, undefined)).toBe(undefined);
    expect(await caseWarnings.ahead(other, SUBMITTED, { ...LABELS, labels: null })).toBe(undefined);
    expect(await caseWarnings.ahead(other, [{ type: 'verification.approved' }], LABELS)).toBe(undefined);
  });
});

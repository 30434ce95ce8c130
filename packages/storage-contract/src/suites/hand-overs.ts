import { HAND_OVER_WINDOW_MS, MAX_HAND_OVERS } from '@countersign/domain';
import type { HandOverCode, Storage, VerificationRecord } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { aHandOver, givenHandOver, issuedAs } from '../records/hand-overs.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { moved } from '../records/records.ts';
import { erasureOf, givenFacts, NO_IDS } from '../records/retention.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Two clients: pending verifications 1 to 3 of the first, and 4 of the second. */
async function givenAnswerable(storage: Storage): Promise<readonly VerificationRecord[]> {
  await givenClient(storage);
  await givenClient(storage, 2);
  const ofFirst: VerificationRecord[] = [];
  for (const n of range(1, 3)) ofFirst.push(await givenVerification(storage, n, { linkVersion: 1 }));
  await givenVerification(storage, 4, { clientId: clientId(2), linkVersion: 1 });
  return ofFirst;
}

async function givenIssued(storage: Storage): Promise<readonly [HandOverCode, VerificationRecord]> {
  const [first] = await givenAnswerable(storage);
  if (first === undefined) throw new Error('set-up of the case: no verification');
  await givenHandOver(storage, 2);
  return [await givenHandOver(storage, 1), first];
}

const place = (n: number, owner = 1) => ({ clientId: clientId(owner), verificationId: verificationId(n) });
const later = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() + milliseconds);

/** Commits the next version of a verification. */
async function change(
  storage: Storage,
  record: VerificationRecord,
  given: Partial<VerificationRecord>,
): Promise<VerificationRecord> {
  const { linkVersion } = record;
  const changed = { ...moved(record, given.status ?? record.status), linkVersion, ...given };
  expect(await commit(storage, changed), 'set-up of the case: verifications.commit').toEqual({
    outcome: 'committed',
  });
  return changed;
}

/** Codes of verifications: how many there are, and what each replaces. */
export const handOverCodesSuite: Suite = suiteGiven('hand-over codes', givenAnswerable, {
  'issue: stores what it returns, to be found by the verification': async ({ handOvers }) => {
    const code = aHandOver(1);
    expect(await handOvers.issue(code)).toEqual(issuedAs(code));
    expect(await handOvers.find(place(1))).toEqual(issuedAs(code));
    expect([await handOvers.find(place(2)), await handOvers.find(place(1, 2))]).toEqual([null, null]);
  },

  'issue: replaces the code before, used or not, and is counted': async (storage) => {
    const { handOvers } = storage;
    const { countedFrom } = await givenHandOver(storage, 1);
    const second = aHandOver(1, { codeHash: 'second', issuedAt: minute(101) });
    expect(await handOvers.issue(second)).toEqual(issuedAs(second, { countedFrom, issued: 2 }));
    expect(await handOvers.spend(second, minute(102))).not.toBeNull();

    const third = aHandOver(1, { codeHash: 'third', issuedAt: minute(103, 7) });
    expect(await handOvers.issue(third)).toEqual(issuedAs(third, { countedFrom, issued: 3 }));
    expect(await handOvers.find(place(1))).toEqual(issuedAs(third, { countedFrom, issued: 3 }));
    expect(await handOvers.spend(second, minute(104))).toBeNull();
  },

  'issue: is refused after the last of the window, and begins the next window with 1': async (storage) => {
    const { handOvers } = storage;
    const { countedFrom } = await givenHandOver(storage, 1);
    await givenHandOver(storage, 2);
    for (const n of range(2, MAX_HAND_OVERS)) {
      const code = aHandOver(1, { codeHash: `code ${n}`, issuedAt: minute(100 + n) });
      expect((await handOvers.issue(code))?.issued).toBe(n);
    }
    const last = await handOvers.find(place(1));
    const end = later(countedFrom, HAND_OVER_WINDOW_MS);

    expect(await handOvers.issue(aHandOver(1, { codeHash: 'early', issuedAt: later(end, -1) }))).toBeNull();
    expect(await handOvers.find(place(1))).toEqual(last);
    const next = aHandOver(1, { codeHash: 'next', issuedAt: end });
    expect(await handOvers.issue(next)).toEqual(issuedAs(next));
    expect((await handOvers.find(place(2)))?.issued).toBe(1);
  },

  'issue: begins the next window also before the last of the window': async (storage) => {
    const { countedFrom } = await givenHandOver(storage, 1);
    const next = aHandOver(1, { codeHash: 'next', issuedAt: later(countedFrom, HAND_OVER_WINDOW_MS) });
    expect(await storage.handOvers.issue(next)).toEqual(issuedAs(next));
  },

  'issue: of many at once, as many are stored as the window has': async ({ handOvers }) => {
    const stored = await atOnce(12, (n) => handOvers.issue(aHandOver(1, { codeHash: `code ${n}` })));

    const numbers = stored.flatMap((code) => (code === null ? [] : [code.issued]));
    expect(numbers.toSorted()).toEqual(range(1, MAX_HAND_OVERS));
    expect(await handOvers.find(place(1))).toEqual(stored.find((code) => code?.issued === MAX_HAND_OVERS));
  },

  'issue: finds no verification of another client, of another link, or for a text that cannot be an id': async ({
    handOvers,
  }) => {
    for (const other of [{ clientId: clientId(2) }, { linkVersion: 2 }, { linkVersion: 0 }])
      expect(await handOvers.issue(aHandOver(1, other)), JSON.stringify(other)).toBeNull();
    for (const id of NO_IDS) {
      expect(await handOvers.issue(aHandOver(1, { verificationId: id })), JSON.stringify(id)).toBeNull();
      expect(await handOvers.issue(aHandOver(1, { clientId: id })), JSON.stringify(id)).toBeNull();
      expect(await handOvers.find({ ...place(1), verificationId: id }), JSON.stringify(id)).toBeNull();
      expect(await handOvers.find({ ...place(1), clientId: id }), JSON.stringify(id)).toBeNull();
    }
    expect(await handOvers.find(place(1))).toBeNull();
  },

  'issue: finds no verification whose link has expired': async ({ handOvers }, [record]) => {
    const end = record?.linkExpiresAt ?? minute(0);
    expect(await handOvers.issue(aHandOver(1, { issuedAt: end }))).toBeNull();
    expect(await handOvers.issue(aHandOver(1, { issuedAt: later(end, -1) }))).not.toBeNull();
  },

  'issue: finds only verifications that can be answered': async (storage, records) => {
    const [first, second, third] = records as [VerificationRecord, VerificationRecord, VerificationRecord];
    const submitted = await change(storage, first, { status: 'submitted' });
    await change(storage, second, { status: 'rejected' });
    await change(storage, third, { status: 'submitted' });
    for (const n of range(1, 3)) expect(await storage.handOvers.issue(aHandOver(n))).toBeNull();

    await change(storage, submitted, { status: 'action_needed' });
    expect(await storage.handOvers.issue(aHandOver(1))).toEqual(issuedAs(aHandOver(1)));
  },

  'forget: deletes codes that were issued before a time, oldest first, up to the limit': async (storage) => {
    const { handOvers } = storage;
    for (const n of range(1, 3)) await givenHandOver(storage, n, { issuedAt: minute(120 - n) });
    const left = async () => {
      const codes = await Promise.all(range(1, 3).map((n) => handOvers.find(place(n))));
      return codes.flatMap((code, index) => (code === null ? [] : [index + 1]));
    };

    expect(await handOvers.forget({ before: minute(117), limit: 9 })).toBe(0);
    expect(await left()).toEqual([1, 2, 3]);
    expect(await handOvers.forget({ before: minute(119), limit: 1 })).toBe(1);
    expect(await left()).toEqual([1, 2]);
    expect(await handOvers.forget({ before: minute(119), limit: 9 })).toBe(1);
    expect(await left()).toEqual([1]);
  },
});

/** The uses of codes: each works once, and no longer than its link. */
export const handOverUsesSuite: Suite = suiteGiven('uses of hand-over codes', givenIssued, {
  'spend: marks the code as used, and only this code': async ({ handOvers }, [code]) => {
    const spent = { ...code, spentAt: minute(101, 9) };
    expect(await handOvers.spend(code, minute(101, 9))).toEqual(spent);
    expect(await handOvers.find(place(1))).toEqual(spent);
    expect((await handOvers.find(place(2)))?.spentAt).toBeNull();
  },

  'spend: a used code is refused, and its time stays': async ({ handOvers }, [code]) => {
    await handOvers.spend(code, minute(101));
    expect(await handOvers.spend(code, minute(102))).toBeNull();
    expect(await handOvers.find(place(1))).toEqual({ ...code, spentAt: minute(101) });
  },

  'spend: of many at once, one gets the code': async ({ handOvers }, [code]) => {
    const spent = await atOnce(12, (n) => handOvers.spend(code, minute(101, n)));

    const got = spent.filter((each) => each !== null);
    expect(got).toHaveLength(1);
    expect(await handOvers.find(place(1))).toEqual(got[0]);
  },

  'spend: works until the code expires': async (storage, [code]) => {
    const { handOvers } = storage;
    expect(await handOvers.spend(code, code.expiresAt)).toBeNull();
    expect(await handOvers.find(place(1))).toEqual(code);
    expect(await handOvers.spend(code, later(code.expiresAt, -1))).not.toBeNull();
  },

  'spend: finds no code with another hash, of another client or verification, or without an id': async (
    { handOvers },
    [code],
  ) => {
    const others = [
      { codeHash: 'hash 2' },
      { codeHash: '' },
      { clientId: clientId(2) },
      { verificationId: verificationId(2) },
      { verificationId: verificationId(3) },
      ...NO_IDS.flatMap((id) => [{ verificationId: id }, { clientId: id }]),
    ];
    for (const other of others)
      expect(await handOvers.spend({ ...code, ...other }, minute(101)), JSON.stringify(other)).toBeNull();
    expect(await handOvers.find(place(1))).toEqual(code);
  },

  'spend: is refused after a renewal of the link': async (storage, [code, record]) => {
    await change(storage, record, { linkVersion: 2 });
    expect(await storage.handOvers.spend(code, minute(101))).toBeNull();
    expect(await storage.handOvers.find(place(1))).toEqual(code);
  },

  'spend: is refused once the link has expired': async (storage, [code, record]) => {
    await change(storage, record, { linkExpiresAt: minute(101) });
    expect(await storage.handOvers.spend(code, minute(101))).toBeNull();
    expect(await storage.handOvers.spend(code, minute(100, 9))).not.toBeNull();
  },

  'spend: is refused after a withdrawal': async (storage, [code, record]) => {
    await change(storage, record, { status: 'rejected' });
    expect(await storage.handOvers.spend(code, minute(101))).toBeNull();
  },

  'spend: is refused after a submission, also when a reviewer asks for action after it': async (
    storage,
    [code, record],
  ) => {
    const submittedAt = minute(101);
    const submitted = await change(storage, record, { status: 'submitted', submittedAt });
    expect(await storage.handOvers.spend(code, minute(102))).toBeNull();

    await change(storage, submitted, { status: 'action_needed', submittedAt });
    expect(await storage.handOvers.spend(code, minute(102))).toBeNull();
    const next = aHandOver(1, { codeHash: 'next', issuedAt: minute(102) });
    await storage.handOvers.issue(next);
    expect(await storage.handOvers.spend(next, minute(103))).not.toBeNull();
  },

  'spend: an answer of the subject leaves the code as it is': async (storage, [code, record]) => {
    await change(storage, record, { currentStep: 1 });
    expect(await storage.handOvers.spend(code, minute(101))).toEqual({ ...code, spentAt: minute(101) });
  },

  'erase: removes the code of the verification, and no other': async (storage, [, record]) => {
    await change(storage, record, { status: 'rejected' });
    const begun = await givenFacts(storage, 1, { erasedAt: minute(300), retentionCheckAt: minute(300) });
    const { outcome } = await storage.retention.erase(erasureOf(begun));
    expect(outcome).toBe('erased');
    expect(await storage.handOvers.find(place(1))).toBeNull();
    expect(await storage.handOvers.find(place(2))).not.toBeNull();
  },
});

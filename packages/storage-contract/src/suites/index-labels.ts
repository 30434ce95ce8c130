import {
  INDEX_PURPOSES,
  type IndexEntry,
  type IndexLabel,
  type Storage,
  type VerificationRecord,
} from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { clientId, minute, verificationId } from '../records/ids.ts';
import { aLabel, anIndexKey, givenIndexKey, labelled, ofClient, someLabels } from '../records/indexes.ts';
import { expectUnchanged } from '../records/picture.ts';
import { moved } from '../records/records.ts';
import { erasureOf, givenFacts, NO_IDS } from '../records/retention.ts';
import { commit, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

/** Two clients with index keys: verifications 1 and 2 of the first, and 3 of the second, all pending. */
async function givenOwners(storage: Storage): Promise<readonly [VerificationRecord, VerificationRecord]> {
  await givenClient(storage);
  await givenClient(storage, 2);
  for (const owner of [1, 2]) await givenIndexKey(storage, anIndexKey(1, { clientId: clientId(owner) }));
  const first = await givenVerification(storage, 1);
  const second = await givenVerification(storage, 2);
  await givenVerification(storage, 3, { clientId: clientId(2) });
  return [first, second];
}

/** Submits with labels of the numbers. */
async function submitted(
  storage: Storage,
  record: VerificationRecord,
  ...numbers: readonly number[]
): Promise<VerificationRecord> {
  return committed(storage, moved(record, 'submitted'), numbers);
}

async function committed(
  storage: Storage,
  next: VerificationRecord,
  numbers?: readonly number[],
): Promise<VerificationRecord> {
  const given = numbers === undefined ? {} : { labels: someLabels(...numbers) };
  expect(await commit(storage, next, given)).toEqual({ outcome: 'committed' });
  return next;
}

/** Returns the matches of labels of the first client, in a fixed order. */
async function found(
  { indexes }: Storage,
  labels: readonly IndexLabel[],
  given: { except?: string; limit?: number } = {},
): Promise<readonly IndexEntry[]> {
  return inOrder(await indexes.find({ labels: labels.map((label) => ofClient(label)), limit: 10, ...given }));
}

function inOrder(matches: readonly IndexEntry[]): IndexEntry[] {
  const text = ({ purpose, label, verificationId: id }: IndexEntry) => `${purpose} ${label} ${id}`;
  return matches.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}

/** The matches that are expected: the numbers of the verifications of each label. */
function matches(...expected: readonly (readonly [IndexLabel, ...number[]])[]): readonly IndexEntry[] {
  return inOrder(
    expected.flatMap(([label, ...numbers]) =>
      numbers.map((n) => ({ ...ofClient(label), verificationId: verificationId(n) })),
    ),
  );
}

const labels = (...numbers: readonly number[]): readonly IndexLabel[] => numbers.map((n) => aLabel(n));

/** Labels of verifications: stored with the submission, replaced as a whole, found by the client alone. */
export const indexLabelsSuite: Suite = suiteGiven('index labels', givenOwners, {
  'commit: stores labels, by which the verification is found': async (storage, [first, second]) => {
    await submitted(storage, first, 1, 2);
    await submitted(storage, second, 2, 3);
    expect(await found(storage, labels(1))).toEqual(matches([aLabel(1), 1]));
    expect(await found(storage, labels(1, 2, 4))).toEqual(matches([aLabel(1), 1], [aLabel(2), 1, 2]));
    expect(await found(storage, [])).toEqual([]);
  },

  'commit: labels of each purpose are apart, and so are labels that differ in case': async (storage, [first]) => {
    const given = INDEX_PURPOSES.map((purpose, n) => aLabel(n, purpose));
    const change = { labels: { ...someLabels(), labels: given } };
    expect(await commit(storage, moved(first, 'submitted'), change)).toEqual({ outcome: 'committed' });
    for (const label of given) expect(await found(storage, [label])).toEqual(matches([label, 1]));
    expect(await found(storage, [aLabel(0, 'person')])).toEqual([]);
    const upper = aLabel(0, 'document_number').label.toUpperCase();
    expect(await found(storage, [{ purpose: 'document_number', label: upper }])).toEqual([]);
  },

  'commit: a label that is given twice is stored once': async (storage, [first]) => {
    await submitted(storage, first, 1, 1);
    expect(await found(storage, labels(1))).toEqual(matches([aLabel(1), 1]));
  },

  'commit: replaces all labels of the verification, and no others; without labels, they stay': async (
    storage,
    [first, second],
  ) => {
    await submitted(storage, second, 1, 2);
    const before = await submitted(storage, first, 1, 2);
    const asked = await committed(storage, moved(before, 'action_needed'));
    expect(await found(storage, labels(1, 2))).toEqual(matches([aLabel(1), 1, 2], [aLabel(2), 1, 2]));
    await submitted(storage, asked, 2, 3);
    expect(await found(storage, labels(1, 2, 3))).toEqual(
      matches([aLabel(1), 2], [aLabel(2), 1, 2], [aLabel(3), 1]),
    );
  },

  'commit: that conflicts stores no labels and removes none': async (storage, [first]) => {
    const before = await submitted(storage, first, 1);
    const given = { labels: someLabels(2), expectedVersion: before.version - 1 };
    expect(await commit(storage, moved(before, 'action_needed'), given)).toEqual({ outcome: 'conflict' });
    expect(await found(storage, labels(1, 2))).toEqual(matches([aLabel(1), 1]));
  },

  'commit: `labels: null` keeps the labels and their key, and the verification is behind': async (
    storage,
    [first, second],
  ) => {
    const { indexes } = storage;
    const before = await submitted(storage, first, 1, 2);
    const without = await committed(storage, moved(second, 'submitted'));
    const countBehind = () => indexes.countBehind({ rulesVersion: 1, clientId: clientId(1) });
    expect(await countBehind()).toBe(1);
    const reject = (record: VerificationRecord, keyVersion: number) =>
      commit(storage, moved(record, 'rejected'), { labels: { keyVersion, rulesVersion: 0, labels: null } });
    expect(await reject(before, 1)).toEqual({ outcome: 'committed' });
    expect(await countBehind()).toBe(2);
    await givenIndexKey(storage, anIndexKey(2));
    expect(await reject(without, 2)).toEqual({ outcome: 'committed' });
    expect(await found(storage, labels(1, 2))).toEqual(matches([aLabel(1), 1], [aLabel(2), 1]));
    expect(await countBehind()).toBe(2);
    expect(await indexes.removeKey({ clientId: clientId(1), version: 1 })).toBe(false);
  },

  'commit: labels of a key that the client lacks are a conflict, and nothing is stored': async (
    storage,
    [first],
  ) => {
    await givenIndexKey(storage, anIndexKey(2, { clientId: clientId(2) }));
    await expectUnchanged(storage, async () => {
      const given = { labels: { ...someLabels(1), keyVersion: 2 } };
      expect(await commit(storage, moved(first, 'submitted'), given)).toEqual({ outcome: 'conflict' });
    });
    expect(await found(storage, labels(1))).toEqual([]);
  },

  'find: finds nothing of another client': async (storage, [first]) => {
    await submitted(storage, first, 1);
    for (const id of [clientId(2), ...NO_IDS]) {
      const sought = [{ ...aLabel(1), clientId: id }];
      expect(await storage.indexes.find({ labels: sought, limit: 10 }), JSON.stringify(id)).toEqual([]);
    }
  },

  'find: looks for the labels of several clients in the index of each': async (storage, [first]) => {
    await submitted(storage, first, 1, 2);
    const third = await storage.verifications.find(clientId(2), verificationId(3));
    if (third === null) throw new Error('no verification');
    await submitted(storage, third, 1, 2);
    const sought = [ofClient(aLabel(1)), ofClient(aLabel(2), 2), { ...aLabel(1), clientId: 'no id' }];
    expect(inOrder(await storage.indexes.find({ labels: sought, limit: 10 }))).toEqual([
      { ...ofClient(aLabel(1)), verificationId: verificationId(1) },
      { ...ofClient(aLabel(2), 2), verificationId: verificationId(3) },
    ]);
  },

  'find: leaves out a verification; a text that cannot be an id leaves out none': async (
    storage,
    [first, second],
  ) => {
    await submitted(storage, first, 1);
    await submitted(storage, second, 1);
    expect(await found(storage, labels(1), { except: second.id })).toEqual(matches([aLabel(1), 1]));
    for (const except of NO_IDS) {
      expect(await found(storage, labels(1), { except }), JSON.stringify(except)).toHaveLength(2);
    }
  },

  'find: limits the matches of each label to the latest': async (storage, [first, second]) => {
    const third = await givenVerification(storage, 4);
    for (const record of [second, third, first]) await submitted(storage, record, 1, 2);
    expect(await found(storage, labels(1, 2), { limit: 2 })).toEqual(
      matches([aLabel(1), 2, 4], [aLabel(2), 2, 4]),
    );
    expect(await found(storage, labels(1), { limit: 2, except: third.id })).toEqual(matches([aLabel(1), 1, 2]));
  },

  'save: replaces the labels of the verification, and leaves it unchanged': async (storage, [first, second]) => {
    await submitted(storage, second, 1);
    const record = await submitted(storage, first, 1, 2);
    await expectUnchanged(storage, async () => {
      expect(await storage.indexes.save(labelled(1), someLabels(2, 3), record.version)).toBe(true);
    });
    expect(await found(storage, labels(1, 2, 3))).toEqual(matches([aLabel(1), 2], [aLabel(2), 1], [aLabel(3), 1]));
  },

  'save: is refused at any other version, for another client, and for labels of a key that the client lacks':
    async (storage, [first]) => {
      const { indexes } = storage;
      const { version } = await submitted(storage, first, 1);
      for (const other of [version - 1, version + 1]) {
        expect(await indexes.save(labelled(1), someLabels(2), other)).toBe(false);
      }
      expect(await indexes.save(labelled(1, 2), someLabels(2), version)).toBe(false);
      expect(await indexes.save(labelled(9), someLabels(2), version)).toBe(false);
      expect(await indexes.save(labelled(1), { ...someLabels(2), keyVersion: 2 }, version)).toBe(false);
      for (const id of NO_IDS) {
        expect(await indexes.save({ ...labelled(1), verificationId: id }, someLabels(2), version)).toBe(false);
        expect(await indexes.save({ ...labelled(1), clientId: id }, someLabels(2), version)).toBe(false);
      }
      expect(await found(storage, labels(1, 2))).toEqual(matches([aLabel(1), 1]));
    },

  'save: is refused while the verification waits for its subject': async (storage, [first]) => {
    expect(await storage.indexes.save(labelled(1), someLabels(1), 1)).toBe(false);
    const asked = await committed(storage, moved(await submitted(storage, first, 1), 'action_needed'));
    expect(await storage.indexes.save(labelled(1), someLabels(2), asked.version)).toBe(false);
    expect(await found(storage, labels(1, 2))).toEqual(matches([aLabel(1), 1]));
  },

  'save: of many at the same time, all are stored': async (storage, [first]) => {
    const { version } = await submitted(storage, first);
    const numbers = range(1, 8);
    const saved = await Promise.all(
      numbers.map(() => storage.indexes.save(labelled(1), someLabels(...numbers), version)),
    );
    expect(saved).toEqual(numbers.map(() => true));
    expect(await found(storage, labels(...numbers))).toHaveLength(numbers.length);
  },
});

/** Rejects the verification and begins its erasure. */
async function givenErasure(storage: Storage, record: VerificationRecord) {
  await committed(storage, moved(record, 'rejected'));
  return givenFacts(storage, 1, { erasedAt: minute(300), retentionCheckAt: minute(300) });
}

/** Labels go with the data of their verification. */
export const erasedLabelsSuite: Suite = suiteGiven('erased labels', givenOwners, {
  'erase: removes the labels of the verification, and no others': async (storage, [first, second]) => {
    await submitted(storage, second, 1);
    const begun = await givenErasure(storage, await submitted(storage, first, 1, 2));
    expect((await storage.retention.erase(erasureOf(begun))).outcome).toBe('erased');
    expect(await found(storage, labels(1, 2))).toEqual(matches([aLabel(1), 2]));
  },

  'erase: the keys of the client stay; an older one that labels nothing else can be removed': async (
    storage,
    [first],
  ) => {
    const begun = await givenErasure(storage, await submitted(storage, first, 1));
    await givenIndexKey(storage, anIndexKey(2));
    expect(await storage.indexes.removeKey(anIndexKey(1))).toBe(false);
    await storage.retention.erase(erasureOf(begun));
    expect(await storage.indexes.keys(clientId(1))).toHaveLength(2);
    expect(await storage.indexes.removeKey(anIndexKey(1))).toBe(true);
  },

  'save: is refused once the erasure has begun, at its version too': async (storage, [first]) => {
    const begun = await givenErasure(storage, await submitted(storage, first));
    expect(await storage.indexes.save(labelled(1), someLabels(1), begun.version)).toBe(false);
    await storage.retention.erase(erasureOf(begun));
    const erased = await storage.verifications.find(clientId(1), verificationId(1));
    expect(await storage.indexes.save(labelled(1), someLabels(1), erased?.version ?? 0)).toBe(false);
    expect(await found(storage, labels(1))).toEqual([]);
  },
});

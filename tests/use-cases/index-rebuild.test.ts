import { CountersignError } from '@countersign/domain';
import { BUILT_IN_FLOWS } from '@countersign/domain/flows';
import {
  INDEX_RULES_VERSION,
  type RebuildIndexOptions,
  rebuildIndex,
  type Storage,
} from '@countersign/domain/storage';
import { createNodeSecrets } from '@countersign/runtime';
import { createKeyRing, createSealedStorage } from '@countersign/sealing';
import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient } from '@countersign/test-support/service/service';
import { expect, test } from 'vitest';
import {
  entriesIn,
  givenAnswers,
  givenLabelled,
  givenSubmitted,
  type LabelledService,
  labelsOf,
  SECRET_KEY,
  sealing,
} from './given-labels.ts';

const secrets = createNodeSecrets([SECRET_KEY]);

function sealedStorage({ storage }: LabelledService): Storage {
  return createSealedStorage(storage, { keys: createKeyRing([SECRET_KEY]) });
}

const rebuild = (service: LabelledService, options: RebuildIndexOptions = {}, storage = sealedStorage(service)) =>
  rebuildIndex({ storage, secrets, flows: BUILT_IN_FLOWS }, options);

/** A service with a client that has submitted verifications. */
async function given(count: number) {
  const service = givenLabelled({ sealing, secrets });
  const { principal, clientId } = await givenClient(service);
  const ids: string[] = [];
  for (let n = 1; n <= count; n += 1) ids.push((await givenSubmitted(service, principal, `user_${n}`)).id);
  return { service, principal, clientId, ids };
}

/** Commits labels of an earlier version of the rules, or none, as an installation before indexes. */
async function givenBehind({ storage }: LabelledService, clientId: string, ids: readonly string[]): Promise<void> {
  for (const verificationId of ids) {
    const version = (await storage.verifications.find(clientId, verificationId))?.version ?? 0;
    const labels = { keyVersion: 1, rulesVersion: 0, labels: [] };
    expect(await storage.indexes.save({ clientId, verificationId }, labels, version)).toBe(true);
  }
}

test('labels what is behind, as its submission did, and nothing twice', async () => {
  const { service, clientId, ids } = await given(3);
  const before = await entriesIn(service);
  await givenBehind(service, clientId, ids);
  expect(await entriesIn(service)).toEqual([]);
  const progress: unknown[] = [];
  expect(await rebuild(service, { onProgress: (at) => progress.push(at) })).toEqual({
    labelled: 3,
    unreadable: 0,
    keysAdded: 0,
    keysRemoved: 0,
  });
  expect(await entriesIn(service)).toEqual(before);
  expect(progress.at(-1)).toEqual({ done: 3, total: 3 });
  expect(await rebuild(service)).toMatchObject({ labelled: 0 });
});

test('labels of rules version 1 are behind: until a rebuild, the case is found by its name and not by its number', async () => {
  const { service, clientId, ids } = await given(1);
  const [id = ''] = ids;
  const [key] = await sealedStorage(service).indexes.keys(clientId);
  const numberAlone = secrets.label(key?.value ?? '', 'document_number', 'C01X00T47');
  const labels = (await entriesIn(service)).filter(({ label }) => label !== numberAlone);
  const version = (await service.storage.verifications.find(clientId, id))?.version ?? 0;
  const earlier = { keyVersion: 1, rulesVersion: 1, labels };
  expect(await service.storage.indexes.save({ clientId, verificationId: id }, earlier, version)).toBe(true);
  const found = async (query: string, birthDate?: string) =>
    (await reviewAs(service.countersign).search({ query, birthDate })).items.map((item) => item.id);

  expect(await service.storage.indexes.countBehind({ rulesVersion: INDEX_RULES_VERSION })).toBe(1);
  expect([await found('C01X00T47'), await found('Ada Lovelace', '1990-12-10')]).toEqual([[], [id]]);
  expect(await rebuild(service)).toMatchObject({ labelled: 1 });
  expect(await found('c01x 00t47')).toEqual([id]);
});

test('a client without a key gets one with its first labels', async () => {
  const { service, clientId, ids } = await given(2);
  const without = { ...service.storage.indexes, keys: async () => [] };
  const added: unknown[] = [];
  const indexes: Storage['indexes'] = {
    ...without,
    addKey: async (key) => added.push(key) > 0,
    listBehind: async ({ after }) => (after === null ? [{ clientId, verificationId: ids[0] ?? '' }] : []),
  };
  await rebuild(service, {}, { ...sealedStorage(service), indexes });
  expect(added).toMatchObject([{ clientId, version: 1, wrappedBy: null }]);
});

test('a new key replaces all labels, and the old key is deleted; meanwhile both are there', async () => {
  const { service, principal, clientId, ids } = await given(25);
  const before = await entriesIn(service);
  const seen: number[] = [];
  const pause = async () => {
    seen.push((await service.storage.indexes.keys(clientId)).length);
    const old = (await entriesIn(service)).filter(({ label }) => before.some((entry) => entry.label === label));
    seen.push(new Set(old.map(({ verificationId }) => verificationId)).size);
  };
  const result = await rebuild(service, { newKey: true, pause });
  expect(result).toEqual({ labelled: 25, unreadable: 0, keysAdded: 1, keysRemoved: 1 });
  expect(seen).toEqual([2, 5]);
  const after = await entriesIn(service);
  expect(after).toHaveLength(before.length);
  expect(labelsOf(after, ids[0] ?? '')).toEqual(labelsOf(after, ids[24] ?? ''));
  const next = await givenSubmitted(service, principal, 'user_26');
  const [versions] = await service.transfer.read('indexedVerifications', [clientId, next.id.slice(0, -1)], 1);
  expect(versions).toMatchObject({ verificationId: next.id, keyVersion: 2 });
  expect((await service.storage.indexes.keys(clientId)).map(({ version }) => version)).toEqual([2]);
});

test('an interrupted rebuild continues with what is left', async () => {
  const { service, clientId } = await given(25);
  const stopped = rebuild(service, { newKey: true, pause: () => Promise.reject(new Error('stopped')) });
  await expect(stopped).rejects.toThrow('stopped');
  expect(await rebuild(service)).toEqual({ labelled: 5, unreadable: 0, keysAdded: 0, keysRemoved: 1 });
  expect(await service.storage.indexes.keys(clientId)).toHaveLength(1);
});

test('one client is rebuilt alone, and an unknown one is refused', async () => {
  const { service, clientId, ids } = await given(1);
  const other = await givenClient(service);
  const { id } = await givenSubmitted(service, other.principal, 'user_1');
  await givenBehind(service, clientId, ids);
  await givenBehind(service, other.clientId, [id]);
  expect(await rebuild(service, { clientId: other.clientId, newKey: true })).toMatchObject({
    labelled: 1,
    keysAdded: 1,
  });
  expect((await service.storage.indexes.keys(clientId)).map(({ version }) => version)).toEqual([1]);
  await expect(rebuild(service, { clientId: 'unknown' })).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND' });
});

test('a verification that cannot be read is left out, and keeps its labels and their key', async () => {
  const { service, clientId, ids } = await given(3);
  const [, damaged = ''] = ids;
  const storage = sealedStorage(service);
  const verifications: Storage['verifications'] = {
    ...storage.verifications,
    find: async (owner, id) =>
      id === damaged ? Promise.reject(new Error('damaged')) : storage.verifications.find(owner, id),
  };
  const result = await rebuild(service, { newKey: true }, { ...storage, verifications });
  expect(result).toEqual({ labelled: 2, unreadable: 1, keysAdded: 1, keysRemoved: 0 });
  expect(labelsOf(await entriesIn(service), damaged)).not.toEqual([]);
  expect(await service.storage.indexes.keys(clientId)).toHaveLength(2);
});

test('a key that cannot be read leaves its verifications out, until a new key replaces it', async () => {
  const { service, clientId, ids } = await given(2);
  const [key] = await service.storage.indexes.keys(clientId);
  if (key === undefined) throw new Error('no key');
  await service.storage.indexes.replaceKey(key, { value: 'damaged', wrappedBy: key.wrappedBy });
  await givenBehind(service, clientId, ids);
  expect(await rebuild(service)).toMatchObject({ labelled: 0, unreadable: 2 });
  expect(await rebuild(service, { newKey: true })).toMatchObject({ labelled: 2, unreadable: 0, keysRemoved: 1 });
});

test('a submission is kept without labels while the key cannot be read, and the fault is reported', async () => {
  const { service, principal, clientId } = await given(1);
  const [key] = await service.storage.indexes.keys(clientId);
  if (key === undefined) throw new Error('no key');
  await service.storage.indexes.replaceKey(key, { value: 'damaged', wrappedBy: key.wrappedBy });
  const { id, status } = await givenSubmitted(service, principal, 'user_2');
  expect(status).toBe('submitted');
  expect(labelsOf(await entriesIn(service), id)).toEqual([]);
  expect(service.faults).toEqual([expect.objectContaining({ code: 'DAMAGED' })]);
  expect(await rebuild(service, { newKey: true })).toMatchObject({ labelled: 2 });
});

test('a redo that is submitted while the key cannot be read loses the labels of earlier answers, and is behind', async () => {
  const { service, principal, clientId } = await given(0);
  const access = await givenAnswers(service, principal, { reference: 'user_1' });
  const { id, version } = await service.countersign.subject.submit(access);
  const items = [{ step: 'attestation', reasonCode: 'other' as const, note: 'Once more' }];
  await reviewAs(service.countersign).askForAction({ verificationId: id, version }, { items });
  const [key] = await service.storage.indexes.keys(clientId);
  if (key === undefined) throw new Error('no key');
  await service.storage.indexes.replaceKey(key, { value: 'damaged', wrappedBy: key.wrappedBy });
  await service.countersign.subject.completeStep(access, 'attestation', { accepted: true });
  expect((await service.countersign.subject.submit(access)).status).toBe('submitted');
  expect(labelsOf(await entriesIn(service), id)).toEqual([]);
  expect(await service.storage.indexes.countBehind({ rulesVersion: INDEX_RULES_VERSION })).toBe(1);
  await service.storage.indexes.replaceKey({ ...key, value: 'damaged' }, key);
  expect(await rebuild(service)).toMatchObject({ labelled: 1, unreadable: 0 });
  expect(labelsOf(await entriesIn(service), id)).not.toEqual([]);
});

test('a rejection for fraud while the key cannot be read keeps the labels that find the verification, and is behind', async () => {
  const { service, clientId, ids } = await given(1);
  const [id = ''] = ids;
  const before = await entriesIn(service);
  const version = (await sealedStorage(service).verifications.find(clientId, id))?.version ?? 0;
  const [key] = await service.storage.indexes.keys(clientId);
  if (key === undefined) throw new Error('no key');
  await service.storage.indexes.replaceKey(key, { value: 'damaged', wrappedBy: key.wrappedBy });
  await reviewAs(service.countersign).reject(
    { verificationId: id, version },
    { reasonCodes: ['suspected_fraud'] },
  );
  expect(await entriesIn(service)).toEqual(before);
  expect(before).not.toEqual([]);
  expect(await service.storage.indexes.countBehind({ rulesVersion: INDEX_RULES_VERSION })).toBe(1);
  expect(await rebuild(service)).toMatchObject({ labelled: 0, unreadable: 1 });
  await service.storage.indexes.replaceKey({ ...key, value: 'damaged' }, key);
  expect(await rebuild(service)).toMatchObject({ labelled: 1, unreadable: 0 });
  expect(await entriesIn(service)).toEqual(expect.arrayContaining([...before]));
  expect((await entriesIn(service)).length).toBeGreaterThan(before.length);
});

test('what waits for its subject keeps its labels and their key, until it is submitted', async () => {
  const { service, principal, clientId } = await given(0);
  const access = await givenAnswers(service, principal, { reference: 'user_1' });
  const { id, version } = await service.countersign.subject.submit(access);
  const items = [{ step: 'attestation', reasonCode: 'other' as const, note: 'Once more' }];
  await reviewAs(service.countersign).askForAction({ verificationId: id, version }, { items });
  const before = await entriesIn(service);
  expect(await rebuild(service, { newKey: true })).toMatchObject({ labelled: 0, keysRemoved: 0 });
  expect(await entriesIn(service)).toEqual(before);
  await service.countersign.subject.completeStep(access, 'attestation', { accepted: true });
  await service.countersign.subject.submit(access);
  expect(labelsOf(await entriesIn(service), id)).not.toEqual(labelsOf(before, id));
  expect(await rebuild(service)).toMatchObject({ labelled: 0, keysRemoved: 1 });
  expect(await service.storage.indexes.keys(clientId)).toHaveLength(1);
});

test('a storage that does not answer ends the rebuild', async () => {
  const { service, clientId, ids } = await given(1);
  await givenBehind(service, clientId, ids);
  const storage = sealedStorage(service);
  const find = () => Promise.reject(new CountersignError('SERVICE_UNAVAILABLE'));
  const down = { ...storage, verifications: { ...storage.verifications, find } };
  await expect(rebuild(service, {}, down)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('index rebuild: labels a rejection for fraud as the rejection did', async () => {
  const { service, clientId, ids } = await given(2);
  const [fraud = '', stranger = ''] = ids;
  const before = await entriesIn(service);
  await reviewAs(service.countersign).reject(
    {
      verificationId: fraud,
      version: (await sealedStorage(service).verifications.find(clientId, fraud))?.version ?? 0,
    },
    { reasonCodes: ['suspected_fraud'] },
  );
  const entries = await entriesIn(service);
  const count = (all: typeof entries, id: string) =>
    all.filter(({ verificationId }) => verificationId === id).length;
  expect(count(entries, fraud)).toBeGreaterThan(count(before, fraud));
  expect(count(entries, stranger)).toBe(count(before, stranger));
  await givenBehind(service, clientId, ids);
  await rebuild(service);
  expect(await entriesIn(service)).toEqual(entries);
});

const FLOW = { placeOfBirth: false, proofOfAddress: false, readingIsAdvice: false, warningsInDetails: false };

test('family names are indexed for a client that switched them on, and removed for one that switched them off', async () => {
  const { service, principal, clientId, ids } = await given(2);
  const { flowSettings } = service.countersign;
  const search = async () =>
    (await reviewAs(service.countersign).search({ query: 'lovelace' })).items.map(({ id }) => id);
  const familyNames = async () => (await entriesIn(service)).filter(({ purpose }) => purpose === 'family_name');
  expect([await search(), await familyNames()]).toEqual([[], []]);

  await flowSettings.change(clientId, { ...FLOW, familyNameIndex: true });
  const third = await givenSubmitted(service, principal, 'user_3');
  expect(await search()).toEqual([third.id]);
  expect(await rebuild(service)).toEqual({ labelled: 2, unreadable: 0, keysAdded: 0, keysRemoved: 1 });
  expect(await search()).toEqual([third.id, ...ids.toReversed()]);

  await flowSettings.change(clientId, { ...FLOW, familyNameIndex: false });
  expect(await search()).toEqual([]);
  expect(await familyNames()).not.toEqual([]);
  expect(await rebuild(service)).toMatchObject({ labelled: 3, keysRemoved: 1 });
  expect(await familyNames()).toEqual([]);
  expect(await rebuild(service)).toMatchObject({ labelled: 0 });
});

test('a change of the index of family names keeps few keys, however often it is made', async () => {
  const { service, clientId } = await given(1);
  for (const familyNameIndex of [true, false, true, false])
    await service.countersign.flowSettings.change(clientId, { ...FLOW, familyNameIndex });
  expect((await service.storage.indexes.keys(clientId)).map(({ version }) => version)).toEqual([9, 1]);
});

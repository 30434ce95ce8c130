import { expect, test } from 'vitest';
import { createIndexLabels } from './index-labels.ts';
import type { IndexKey, IndexRepository } from './index-repository.ts';
import { INDEX_RULES_VERSION, type IndexTerm } from './index-terms.ts';

const email: IndexTerm = { purpose: 'email', text: 'a@example.com' };
const phone: IndexTerm = { purpose: 'phone', text: '4930901820' };

const secrets = {
  randomBase64: (bytes: number) => `${bytes} random bytes`,
  label: (key: string, purpose: string, text: string) => `${purpose} of ${text} by ${key}`,
};

function aKey(version: number, value = `key ${version}`): IndexKey {
  return { clientId: 'client', version, value, wrappedBy: null };
}

/** A key whose value cannot be read. */
function unreadable(version: number): IndexKey {
  const get = (): never => {
    throw new Error(`key ${version} is damaged`);
  };
  return Object.defineProperty({ ...aKey(version) }, 'value', { get, enumerable: true });
}

/** Labels by these keys, the newest first. `added` are the keys of another process. */
function given(keys: readonly IndexKey[], others: Partial<IndexRepository> = {}, familyNames = false) {
  const added: IndexKey[] = [];
  const faults: unknown[] = [];
  const asked: unknown[] = [];
  const labels = createIndexLabels({
    indexesFamilyNames: async () => familyNames,
    indexes: {
      keys: async () => [...added, ...keys],
      addKey: async (key) => {
        added.push(key);
        return true;
      },
      find: async (request) => {
        asked.push(request);
        return request.labels.map((label) => ({ ...label, verificationId: `of ${label.label}` }));
      },
      ...others,
    },
    secrets: { ...secrets, randomHex: () => '', sha256: () => '', sign: () => '', verify: () => false },
    onFault: (fault) => faults.push(fault),
  });
  return { labels, added, faults, asked };
}

/** Terms that are looked for in the index of the client. */
const of = (...terms: readonly IndexTerm[]) => new Map([['client', terms]]);

test('label: labels each term by the newest key', async () => {
  const { labels, added } = given([aKey(2), aKey(1)]);
  expect(await labels.label('client', [email, phone])).toEqual({
    keyVersion: 2,
    rulesVersion: INDEX_RULES_VERSION,
    labels: [
      { purpose: 'email', label: 'email of a@example.com by key 2' },
      { purpose: 'phone', label: 'phone of 4930901820 by key 2' },
    ],
  });
  expect(added).toEqual([]);
});

test.each([
  [true, ['email', 'family_name']],
  [false, ['email']],
])('label: with an index of family names %s, the labels are those of %o', async (isOn, purposes) => {
  const { labels } = given([aKey(1)], {}, isOn);
  const made = await labels.label('client', [email, { purpose: 'family_name', text: 'STEIN' }]);
  expect(made?.labels.map(({ purpose }) => purpose)).toEqual(purposes);
});

test('label: the first submission of a client makes a key of 256 random bits', async () => {
  const { labels, added } = given([]);
  expect(await labels.label('client', [])).toMatchObject({ keyVersion: 1, labels: [] });
  expect(added).toEqual([{ clientId: 'client', version: 1, value: '32 random bytes', wrappedBy: null }]);
});

test('label: where another process made the first key, its key labels', async () => {
  const reads: (readonly IndexKey[])[] = [[], [aKey(1, 'theirs')]];
  const { labels } = given([], { keys: async () => reads.shift() ?? [], addKey: async () => false });
  const made = await labels.label('client', [email]);
  expect(made?.labels).toEqual([{ purpose: 'email', label: 'email of a@example.com by theirs' }]);
});

test('label: without a readable newest key there are no labels, of no rules, and the fault is reported', async () => {
  const { labels, faults } = given([unreadable(2), aKey(1)]);
  expect(await labels.label('client', [email])).toEqual({ keyVersion: 2, rulesVersion: 0, labels: [] });
  expect(faults).toEqual([new Error('key 2 is damaged')]);
});

test('findMatches: looks for the labels by every key in one call, and returns the terms', async () => {
  const { labels, asked } = given([aKey(2), aKey(1)]);
  const found = await labels.findMatches({ terms: of(email, phone), except: 'own', limit: 3 });
  expect(found.matches.map(({ term, verificationId }) => [term, verificationId])).toEqual([
    [email, 'of email of a@example.com by key 2'],
    [phone, 'of phone of 4930901820 by key 2'],
    [email, 'of email of a@example.com by key 1'],
    [phone, 'of phone of 4930901820 by key 1'],
  ]);
  expect(asked).toMatchObject([{ except: 'own', limit: 3 }]);
});

test('findMatches: looks for the terms of several clients in one call, by the keys of each', async () => {
  const { labels, asked } = given([], {
    keys: async (clientId) => [{ ...aKey(1, `key of ${clientId}`), clientId }],
  });
  const terms = new Map([
    ['one', [email]],
    ['two', [email, phone]],
  ]);
  const found = await labels.findMatches({ terms, limit: 3 });
  expect(found.matches).toEqual([
    { term: email, clientId: 'one', verificationId: 'of email of a@example.com by key of one' },
    { term: email, clientId: 'two', verificationId: 'of email of a@example.com by key of two' },
    { term: phone, clientId: 'two', verificationId: 'of phone of 4930901820 by key of two' },
  ]);
  expect(asked).toHaveLength(1);
});

const NOTHING = { matches: [], unreadable: new Set() };

test('findMatches: without keys or terms nothing is looked for', async () => {
  const withoutKeys = given([]);
  expect(await withoutKeys.labels.findMatches({ terms: of(email), limit: 3 })).toEqual(NOTHING);
  const withoutTerms = given([aKey(1)]);
  expect(await withoutTerms.labels.findMatches({ terms: of(), limit: 3 })).toEqual(NOTHING);
  expect([...withoutKeys.asked, ...withoutTerms.asked, ...withoutKeys.added]).toEqual([]);
});

test('findMatches: a key that cannot be read is left out, its client is named, and the fault is reported', async () => {
  const { labels, faults } = given([unreadable(2), aKey(1)]);
  const found = await labels.findMatches({ terms: of(email), limit: 3 });
  const match = { term: email, clientId: 'client', verificationId: 'of email of a@example.com by key 1' };
  expect(found).toEqual({ matches: [match], unreadable: new Set(['client']) });
  expect(faults).toEqual([new Error('key 2 is damaged')]);
});

test('findMatches: looks again by a key that a rebuild added meanwhile', async () => {
  const keys = [aKey(1)];
  const { labels } = given([], {
    keys: async () => [...keys],
    find: async (request) => {
      // Before this look, another process adds a key and labels the verification by it.
      if (keys.length === 1) keys.unshift(aKey(2));
      const stored = 'email of a@example.com by key 2';
      const found = request.labels.filter(({ label }) => label === stored);
      return found.map((label) => ({ ...label, verificationId: 'labelled again' }));
    },
  });
  const found = await labels.findMatches({ terms: new Map([['client', [email]]]), limit: 3 });
  expect(found.matches).toEqual([{ term: email, clientId: 'client', verificationId: 'labelled again' }]);
});

test('findMatches: looks again by the first key of a client, also if it has the version of the key of another client', async () => {
  const keysOf = new Map([['one', [{ ...aKey(1, 'key of one'), clientId: 'one' }]]]);
  const { labels } = given([], {
    keys: async (clientId) => keysOf.get(clientId) ?? [],
    find: async (request) => {
      // During the first look, the first verification of the other client is submitted.
      keysOf.set('two', [{ ...aKey(1, 'key of two'), clientId: 'two' }]);
      const found = request.labels.filter(({ clientId }) => clientId === 'two');
      return found.map((label) => ({ ...label, verificationId: 'labelled meanwhile' }));
    },
  });
  const terms = new Map([
    ['one', [email]],
    ['two', [email]],
  ]);
  const { matches } = await labels.findMatches({ terms, limit: 3 });
  expect(matches).toEqual([{ term: email, clientId: 'two', verificationId: 'labelled meanwhile' }]);
});

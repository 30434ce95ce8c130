import { describe, expect, it, test } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import { portWith } from '../../test-support/port-with.ts';
import { inState, NOW, submitted } from '../../test-support/verifications.ts';
import type { IndexLabels } from '../matching/index-labels.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { createSearchCases, FOUND_CASES_MAX, SEARCHED_CLIENTS_MAX } from './search-cases.ts';
import { shortReference } from './short-reference.ts';
import { toRecord, type VerificationRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** Ids in the order of their numbers. */
const idOf = (n: number) => `01993d4c-5a80-7cc5-b4b4-${String(n).padStart(12, '0')}`;
const recordOf = (n: number, more: Partial<VerificationRecord> = {}): VerificationRecord => ({
  ...toRecord(submitted()),
  id: idOf(n),
  ...more,
});

const ADA = { query: 'Ada Lovelace', birthDate: '1990-12-10' };

interface Given {
  /** Ids that the index finds. */
  matches?: readonly string[];
  /** What is read with its history: an error if that is damaged. */
  stored?: readonly VerificationRecord[];
  damaged?: readonly string[];
  /** What is read by its columns. */
  columns?: readonly VerificationRecord[];
  clients?: number;
}

/** The search over clients of which the first has these verifications. */
function given({ matches = [], stored = [], damaged = [], columns = stored, clients = 1 }: Given) {
  const faults: unknown[] = [];
  const all = Array.from({ length: clients }, (_, n) =>
    aClient({ id: `client-${n + 1}`, name: `Client ${n + 1}` }),
  );
  const entries = all.map((client) => ({ client, subscription: null }));
  const verifications: Partial<VerificationRepository> = {
    clientOf: async (id) => columns.find((record) => record.id === id)?.clientId ?? null,
    clientsWithReference: async () => [],
    findEndings: async () => new Map(),
    findByShortReference: async ({ reference, clientId, limit }) =>
      columns
        .filter(({ id }) => shortReference(id) === reference)
        .filter((record) => clientId === undefined || record.clientId === clientId)
        .slice(0, limit),
    findWithHistory: async (_, id) => {
      if (damaged.includes(id)) throw new Error('damaged');
      const record = stored.find((one) => one.id === id);
      return record === undefined ? null : { record, events: [] };
    },
  };
  const indexLabels: Pick<IndexLabels, 'findMatches'> = {
    async findMatches({ terms, limit }) {
      const [[clientId, [term]] = ['', []]] = [...terms];
      if (term === undefined) return { matches: [], unreadable: new Set() };
      const found = matches.map((verificationId) => ({ term, clientId, verificationId }));
      return { matches: found.slice(0, limit), unreadable: new Set() };
    },
  };
  const repository: Partial<ClientRepository> = {
    find: async (id) => entries.find(({ client }) => client.id === id) ?? null,
    search: async ({ limit }) => ({ entries: entries.slice(0, limit), totalCount: clients }),
    names: async () => new Map(),
  };
  const { search } = createSearchCases({
    verifications: portWith<VerificationRepository>(verifications),
    clients: portWith<ClientRepository>(repository),
    flows: BUILT_IN_FLOWS,
    onFault: (fault) => faults.push(fault),
    indexLabels,
    indexesFamilyNames: async () => false,
  });
  const found = async (input: Parameters<typeof search>[0]) => (await search(input)).items.map(({ id }) => id);
  return { search, found, faults };
}

test.each([
  [FOUND_CASES_MAX, false],
  [FOUND_CASES_MAX + 1, true],
])('a search that finds %i cases shows 50, and whether there are more: %s', async (count, hasMore) => {
  const stored = Array.from({ length: count }, (_, n) => recordOf(n));
  const result = await given({ stored, matches: stored.map(({ id }) => id) }).search(ADA);
  expect([result.items.length, result.hasMore]).toEqual([FOUND_CASES_MAX, hasMore]);
});

describe('searched clients', () => {
  const stored = [recordOf(1)];
  const id = idOf(1);

  it.each([ADA, { query: 'C01X00T47' }])(
    'the most clients that are searched need no choice: %j',
    async (input) => {
      const { found } = given({ stored, matches: [id], clients: SEARCHED_CLIENTS_MAX });
      expect(await found(input)).toEqual([id]);
    },
  );

  it('one client more needs a choice, except for an id, whose search names no damaged index', async () => {
    const { search } = given({ stored, matches: [id], clients: SEARCHED_CLIENTS_MAX + 1 });
    await expect(search(ADA)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
    expect(await search({ query: id })).toMatchObject({ items: [{ id }], incompleteFor: [] });
  });

  it('an id finds no case of another client than the chosen one', async () => {
    const { found } = given({ stored, clients: 2 });
    expect(await found({ query: id, clientId: 'client-1' })).toEqual([id]);
    expect(await found({ query: id, clientId: 'client-2' })).toEqual([]);
  });
});

test('a case that is gone since it was found is left out without a fault', async () => {
  const { found, faults } = given({ stored: [recordOf(2)], matches: [idOf(1), idOf(2)] });
  expect(await found(ADA)).toEqual([idOf(2)]);
  expect(faults).toEqual([]);
});

describe('a damaged case', () => {
  // Differs in digits that a short reference leaves out.
  const other = recordOf(1, { id: idOf(1).replace('7cc5', '7dd6'), subjectReference: 'other' });

  it('a damaged case keeps its columns, not those of another with its short reference', async () => {
    expect(shortReference(other.id)).toBe(shortReference(idOf(1)));
    const columns = [other, recordOf(1, { subjectReference: 'damaged', status: 'approved', resolvedAt: NOW })];
    const { search, faults } = given({ damaged: [idOf(1)], matches: [idOf(1)], columns });
    expect((await search(ADA)).items).toMatchObject([
      {
        id: idOf(1),
        subjectReference: 'damaged',
        subject: { state: 'unreadable' },
        decision: { at: NOW, reviewerId: null },
      },
    ]);
    expect(faults).toHaveLength(1);
  });

  it('a damaged case that is gone since is left out', async () => {
    const { found } = given({ damaged: [idOf(1)], matches: [idOf(1)], columns: [other] });
    expect(await found(ADA)).toEqual([]);
  });
});

test('a case that ended without a review has no reviewer', async () => {
  const ended = { ...toRecord(inState('rejected')), id: idOf(1) };
  const { search } = given({ stored: [ended], matches: [idOf(1)] });
  expect((await search(ADA)).items).toMatchObject([{ decision: { at: ended.resolvedAt, reviewerId: null } }]);
});

// Runs thousands of commands on three storages side by side.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Storage, VerificationRepository } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { createKeyRing } from '@countersign/sealing';
import { createPostgresStorage } from '@countersign/storage-postgres';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { extent } from '@countersign/test-support/installation/extent';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Comparison, compare } from './compare.ts';
import type { Participant } from './world.ts';

const SEQUENCES = extent({ full: 1_000, short: 24 });
/** A long run tries other sequences each time. To repeat one: MODEL_SEED=… npm run test:long -- tests/model */
const SEED = Number(process.env.MODEL_SEED ?? extent({ full: randomInt(2 ** 31), short: 20_261_232 }));

const inMemory = (storage: Storage = createMemoryStorage()): Participant => ({
  name: 'memory',
  storage,
  keys: 'none',
});

async function onSqlite(): Promise<Participant> {
  const storage = await createSqliteStorage({ file: join(temporaryFolder(), 'countersign.db') });
  onTestFinished(() => storage.close());
  return {
    name: 'SQLite, sealed',
    storage,
    keys: createKeyRing([Buffer.alloc(32, 1)]),
  };
}

async function onPostgres(): Promise<Participant> {
  const server = await startPostgres({ fsync: false });
  const storage = await createPostgresStorage({ url: await server.createDatabase() });
  onTestFinished(async () => {
    await storage.close();
    await server.stop();
  });
  return {
    name: 'Postgres, sealed',
    storage,
    keys: createKeyRing([Buffer.alloc(32, 2)]),
  };
}

function report({ sequences, commands, atOnce, outcomes }: Comparison): void {
  console.info(
    `model test in memory, on SQLite and on Postgres: ${sequences} sequences, ${commands} commands each (${atOnce} at once), ` +
      `${outcomes.size} kinds of outcome, no difference; seed ${SEED}`,
  );
}

/** The sequences must reach the rules that a storage could break. */
function expectVariety({ outcomes }: Comparison): void {
  const usual = [
    'create ok',
    'create DUPLICATE_SUBJECT_REFERENCE',
    'create LIMIT_EXCEEDED',
    'complete ok',
    'review ok',
    'review VERSION_CONFLICT',
    'answer ok',
    'endpoint ok',
    'send ok',
    'export ok',
    'export EXPORT_CODE_WRONG',
    'export EXPORT_NOT_FOUND',
    'export ILLEGAL_TRANSITION',
    'handOver ok',
    'readDocument ok',
    'rebuildIndex ok',
    'addIndexKey ok',
    'removeIndexKey ok',
    'saveLabels ok',
    'noteWarnings ok',
    'handOver HAND_OVER_ENDED',
    'hold ok',
    'releaseHold ok',
    'endRelationship ok',
    'eraseData ok',
    'eraseData ILLEGAL_TRANSITION',
    'setPolicy ok',
    'setPolicy INVALID_PARAMETERS',
    'retain ok',
    'mail ok',
    'noticeKeys ok',
    'create in test mode ok',
    'complete in test mode ok',
    'review in test mode ok',
    'issueKey in test mode ok',
    'endpoint in test mode ok',
    'send in test mode ok',
    'eraseData in test mode ok',
  ];
  const names = [...outcomes.keys()];
  expect(usual.filter((outcome) => !names.includes(outcome))).toEqual([]);
  expect(names).not.toContain('create in test mode LIMIT_EXCEEDED');
}

describeWith(['postgres'], 'the three storages', () => {
  it('give the same answers and the same end to random sequences of commands', async () => {
    const participants = [inMemory(), await onSqlite(), await onPostgres()];
    const comparison = await compare(participants, { sequences: SEQUENCES, seed: SEED });
    report(comparison);
    expectVariety(comparison);
  }, 3_600_000);
});

/** A storage in memory with one operation on verifications or keys broken. */
const broken = (change: (verifications: VerificationRepository) => Partial<VerificationRepository>): Storage => {
  const storage = createMemoryStorage();
  return { ...storage, verifications: { ...storage.verifications, ...change(storage.verifications) } };
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A sound storage whose operations begin late, by chance: calls at once interleave as on a busy database. */
function delayed(): Storage {
  const storage = createMemoryStorage();
  const delay = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name, receiver) => {
        const operation: unknown = Reflect.get(target, name, receiver);
        if (typeof operation !== 'function') return operation;
        return async (...given: unknown[]) => {
          for (let left = randomInt(4); left > 0; left -= 1) await turn();
          return operation.apply(target, given);
        };
      },
    });
  return Object.fromEntries(
    Object.entries(storage).map(([name, port]) => [name, typeof port === 'object' ? delay(port) : port]),
  ) as unknown as Storage;
}

const DEFECTS: readonly (readonly [string, () => Storage])[] = [
  [
    'keeps superseded events',
    () => broken(({ commit }) => ({ commit: ({ supersededVersions: _, ...change }) => commit(change) })),
  ],
  [
    'reads the version, then writes',
    () =>
      broken(({ commit, findForAnyClient }) => ({
        async commit(change) {
          const stored = await findForAnyClient(change.record.id);
          if (stored?.version !== change.expectedVersion) return { outcome: 'conflict' };
          await turn();
          const present = (await findForAnyClient(change.record.id))?.version ?? 0;
          return commit({ ...change, expectedVersion: present });
        },
      })),
  ],
  [
    'drops the return URL',
    () =>
      broken(({ createCharged }) => ({
        createCharged: (request) => createCharged({ ...request, record: { ...request.record, returnUrl: null } }),
      })),
  ],
  [
    'drops the address of the subject',
    () =>
      broken(({ createCharged }) => ({
        createCharged: (request) => createCharged({ ...request, record: { ...request.record, notify: null } }),
      })),
  ],
  [
    'drops the mails of changes',
    () => broken(({ commit }) => ({ commit: (change) => commit({ ...change, mails: [] }) })),
  ],
  [
    'counts no mails to an address',
    () => {
      const { mails, ...storage } = createMemoryStorage();
      return { ...storage, mails: { ...mails, takeFromBudgets: async () => ({ outcome: 'taken' }) } };
    },
  ],
  [
    'drops the mails of pauses',
    () => {
      const { webhooks, ...storage } = createMemoryStorage();
      const { settle } = webhooks;
      const dropping: typeof settle = (lease, delivery, result) =>
        settle(lease, delivery, { ...result, mailsIfPaused: [] });
      return { ...storage, webhooks: { ...webhooks, settle: dropping } };
    },
  ],
  [
    'drops the mails about keys that expire',
    () => {
      const { mails, ...storage } = createMemoryStorage();
      const { noteKeyExpiry } = mails;
      return {
        ...storage,
        mails: { ...mails, noteKeyExpiry: (notice) => noteKeyExpiry({ ...notice, mails: [] }) },
      };
    },
  ],
  [
    'creates above the limit',
    () =>
      broken(({ createCharged }) => ({
        createCharged: (request) => createCharged({ ...request, allowance: 99 }),
      })),
  ],
  [
    'drops claims',
    () =>
      broken(({ commit }) => ({
        commit: ({ record, ...change }) =>
          commit({
            ...change,
            record: record.status === 'submitted' ? { ...record, claimedBy: null, claimedAt: null } : record,
          }),
      })),
  ],
  [
    'lists no decided verifications',
    () =>
      broken(({ list }) => ({
        async list(...query) {
          const page = await list(...query);
          return { ...page, records: page.records.filter(({ resolvedAt }) => resolvedAt === null) };
        },
      })),
  ],
  [
    'loses the attempts of webhooks',
    () => {
      const storage = createMemoryStorage();
      return { ...storage, webhooks: { ...storage.webhooks, attempts: async () => [] } };
    },
  ],
  [
    'forgets wrong codes of exports',
    () => {
      const storage = createMemoryStorage();
      return { ...storage, exports: { ...storage.exports, countWrongCode: async () => 1 } };
    },
  ],
  [
    'lets hand-over codes be used twice',
    () => {
      const storage = createMemoryStorage();
      const { handOvers } = storage;
      return { ...storage, handOvers: { ...handOvers, spend: async (code) => handOvers.find(code) } };
    },
  ],
  [
    'loses readings of documents',
    () => {
      const storage = createMemoryStorage();
      return { ...storage, readings: { ...storage.readings, find: async () => [] } };
    },
  ],
  [
    'keeps warnings of another version',
    () =>
      broken(({ findForAnyClient, noteWarnings }) => ({
        async noteWarnings(note) {
          const version = (await findForAnyClient(note.verificationId))?.version ?? 0;
          return noteWarnings({ ...note, expectedVersion: version });
        },
      })),
  ],
  [
    'drops the labels of submissions',
    () => broken(({ commit }) => ({ commit: ({ labels: _, ...change }) => commit(change) })),
  ],
  [
    'finds no labels',
    () => {
      const { indexes, ...storage } = createMemoryStorage();
      return { ...storage, indexes: { ...indexes, find: async () => [] } };
    },
  ],
  [
    'removes no keys of the index',
    () => {
      const { indexes, ...storage } = createMemoryStorage();
      return { ...storage, indexes: { ...indexes, removeKey: async () => true } };
    },
  ],
  [
    'loses the receipts of erasures',
    () => {
      const storage = createMemoryStorage();
      return { ...storage, retention: { ...storage.retention, erasures: async () => [] } };
    },
  ],
  [
    'finds nothing that is due',
    () => {
      const storage = createMemoryStorage();
      return { ...storage, retention: { ...storage.retention, due: async () => [] } };
    },
  ],
  [
    'never revokes a key',
    () => {
      const storage = createMemoryStorage();
      return {
        ...storage,
        apiKeys: { ...storage.apiKeys, revoke: async () => ({ outcome: 'revoked' as const }) },
      };
    },
  ],
];

describe('the model test can fail', () => {
  it('finds no difference between two sound storages', async () => {
    const comparison = await compare([inMemory(), inMemory()], { sequences: 5, seed: SEED });
    expect(comparison.commands).toBeGreaterThan(5 * 50);
  });

  it('finds no difference between storages on which calls at once interleave differently', async () => {
    const participants = [inMemory(), { ...inMemory(delayed()), name: 'delayed' }];
    await compare(participants, { sequences: extent({ full: 200, short: 12 }), seed: SEED });
  }, 600_000);

  it.each(DEFECTS)('finds a storage that %s', async (_, create) => {
    const participants = [inMemory(), { ...inMemory(create()), name: 'broken' }];
    await expect(compare(participants, { sequences: 90, seed: SEED })).rejects.toThrow('Property failed');
  });
});

import type { Storage, VerificationRecord } from '@countersign/domain';
import { aQuery } from '../records/queries.ts';
import { dueInSandboxSuite } from '../suites/due-in-sandbox.ts';
import { committing } from './around.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

interface Candidate {
  readonly record: VerificationRecord;
  readonly isSandbox: boolean;
}

const isUnderWay = ({ status }: VerificationRecord): boolean => status === 'pending' || status === 'submitted';
const isDue = ({ record, isSandbox }: Candidate): boolean =>
  isSandbox && record.sandboxOutcome !== null && record.claimedBy === null && isUnderWay(record);
const oldestFirst = (a: VerificationRecord, b: VerificationRecord): number =>
  a.requestedAt.getTime() - b.requestedAt.getTime();

/** A mutant that takes other verifications for due, or in another order. */
const taking =
  (isTaken: (candidate: Candidate) => boolean, order = oldestFirst): Mutant['breakIn'] =>
  (storage) =>
    patched(storage, {
      verifications: {
        dueInSandbox: async (limit) => {
          const candidates = await candidatesOf(storage);
          const taken = candidates.filter(isTaken).map(({ record }) => record);
          return taken.sort(order).slice(0, limit);
        },
      },
    });

/** A mutant that gives other records than are due. */
const giving =
  (give: (records: readonly VerificationRecord[]) => readonly VerificationRecord[]): Mutant['breakIn'] =>
  (storage) =>
    patched(storage, {
      verifications: { dueInSandbox: async (limit) => give(await storage.verifications.dueInSandbox(limit)) },
    });

export const dueInSandboxMutants: readonly Mutant[] = mutantsOf(dueInSandboxSuite, {
  'takes ordinary clients for sandboxes': taking((each) => isDue({ ...each, isSandbox: true })),
  'takes what has no outcome': taking(({ record, isSandbox }) => isSandbox && isUnderWay(record)),
  'takes what is in any state': taking(({ record, isSandbox }) => isSandbox && record.sandboxOutcome !== null),
  'takes what is active': taking(
    ({ record, isSandbox }) => isSandbox && record.sandboxOutcome !== null && record.resolvedAt === null,
  ),
  'takes what a reviewer has claimed': taking((each) =>
    isDue({ ...each, record: { ...each.record, claimedBy: null } }),
  ),
  'takes what is pending alone': taking((each) => isDue(each) && each.record.status === 'pending'),
  'takes what is approved later alone': taking((each) => isDue(each) && each.record.sandboxOutcome !== 'rejected'),
  'begins with the newest': taking(isDue, (a, b) => oldestFirst(b, a)),
  'orders by the id': taking(isDue, (a, b) => (a.id < b.id ? -1 : 1)),
  'orders by client': taking(isDue, (a, b) => (a.clientId < b.clientId ? -1 : 1)),
  'orders by seconds': taking(
    isDue,
    (a, b) =>
      Math.floor(a.requestedAt.getTime() / 1_000) - Math.floor(b.requestedAt.getTime() / 1_000) ||
      (a.id < b.id ? -1 : 1),
  ),
  'gives one too many': (storage) =>
    patched(storage, {
      verifications: { dueInSandbox: (limit) => storage.verifications.dueInSandbox(limit + 1) },
    }),
  'gives records without metadata': giving((records) => records.map((record) => ({ ...record, metadata: {} }))),
  'gives records without answers': giving((records) => records.map((record) => ({ ...record, answers: {} }))),
  'gives records without their outcome': giving((records) =>
    records.map((record) => ({ ...record, sandboxOutcome: null })),
  ),
  'gives what is due once': (storage) => {
    const given = new Set<string>();
    return giving((records) => {
      const fresh = records.filter(({ id }) => !given.has(id));
      for (const { id } of fresh) given.add(id);
      return fresh;
    })(storage);
  },
  'keeps the outcome of the creation': (storage) =>
    committing(storage, async (next, change) => {
      const { clientId, id } = change.record;
      const stored = await storage.verifications.find(clientId, id);
      return next({ ...change, record: { ...change.record, sandboxOutcome: stored?.sandboxOutcome ?? null } });
    }),
  'forgets the outcome with a change': (storage) =>
    committing(storage, (next, change) => next({ ...change, record: { ...change.record, sandboxOutcome: null } })),
  'stores the outcome of a lost change': (storage) =>
    committing(storage, async (next, change) => {
      const answer = await next(change);
      const stored = await storage.verifications.find(change.record.clientId, change.record.id);
      if (answer.outcome === 'conflict' && stored !== null) {
        const { sandboxOutcome } = change.record;
        await next({ record: { ...stored, sandboxOutcome }, expectedVersion: stored.version, events: [] });
      }
      return answer;
    }),
  'remembers what a client was when it asked': (storage) => {
    const isDriven = new Map<string, boolean>();
    return patched(storage, {
      verifications: {
        createCharged: async (request) => {
          const owner = await storage.clients.find(request.record.clientId);
          isDriven.set(request.record.id, owner?.client.sandbox === true);
          return storage.verifications.createCharged(request);
        },
        dueInSandbox: async (limit) =>
          (await storage.verifications.dueInSandbox(limit)).filter(({ id }) => isDriven.get(id)),
      },
    });
  },
  'drops what is due when the switch is turned': (storage) =>
    patched(storage, {
      clients: {
        setSandbox: async (clientId, sandbox) => {
          const { records } = await storage.verifications.list(clientId, aQuery());
          for (const record of sandbox ? [] : records) {
            const change = { record: { ...record, sandboxOutcome: null }, expectedVersion: record.version };
            await storage.verifications.commit({ ...change, events: [] });
          }
          return storage.clients.setSandbox(clientId, sandbox);
        },
      },
    }),
});

async function candidatesOf(storage: Storage): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const { client } of await storage.clients.list()) {
    const { records } = await storage.verifications.list(client.id, aQuery());
    candidates.push(...records.map((record) => ({ record, isSandbox: client.sandbox })));
  }
  return candidates;
}

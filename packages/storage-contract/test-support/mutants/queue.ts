import type { Storage, VerificationRecord } from '@countersign/domain';
import { dueInSandboxSuite } from '../../src/suites/due-in-sandbox.ts';
import { queueFiltersSuite, queueSuite } from '../../src/suites/queue.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  ALL,
  countLater,
  countNothingPastTheEnd,
  countOther,
  countPage,
  cut,
  failWhenEmpty,
  joined,
  verificationsOf,
  withFields,
} from './pages.ts';
import { answers, asks, type Break, both, fail, keepsRecord, on, remembering, toSeconds } from './patch.ts';

type Compare = (a: VerificationRecord, b: VerificationRecord) => number;

/** Puts the queue in another order. */
const orders = (compare: Compare): Break =>
  on('verifications.queue')(async ({ next }, query) => {
    const { records } = await next({ ...query, offset: 0, limit: ALL });
    return cut([...records].sort(compare), query);
  });

const submittedAt = (record: VerificationRecord, unknown = 9e15): number =>
  record.submittedAt?.getTime() ?? unknown;
const byWait: Compare = (a, b) => submittedAt(a) - submittedAt(b);
const byId: Compare = (a, b) => (a.id < b.id ? -1 : 1);
const byClient: Compare = (a, b) => (a.clientId < b.clientId ? -1 : 1);

export const queueMutants: readonly Mutant[] = mutantsOf(queueSuite, {
  'fails where nothing waits': answers('verifications.queue')(failWhenEmpty),
  'orders by the request': orders((a, b) => Number(a.requestedAt) - Number(b.requestedAt)),
  'begins with the last': orders((a, b) => submittedAt(b, 0) - submittedAt(a, 0) || byId(a, b)),
  'orders by seconds': orders(
    (a, b) => Math.floor(submittedAt(a) / 1_000) - Math.floor(submittedAt(b) / 1_000) || byId(a, b),
  ),
  'breaks ties the other way': orders((a, b) => byWait(a, b) || byId(b, a)),
  'breaks ties by client': orders((a, b) => byWait(a, b) || byClient(a, b)),
  'puts nulls first': orders((a, b) => submittedAt(a, 0) - submittedAt(b, 0) || byId(a, b)),
  'orders by the first submission': remembering(() => {
    const first = new Map<string, number>();
    return on('verifications.queue')(async ({ next }, query) => {
      const { records } = await next({ ...query, offset: 0, limit: ALL });
      const earlier = await next({ ...query, status: 'action_needed', offset: 0, limit: ALL });
      for (const record of [...earlier.records, ...records]) {
        first.set(record.id, first.get(record.id) ?? submittedAt(record, 0));
      }
      return cut(
        [...records].sort((a, b) => (first.get(a.id) ?? 0) - (first.get(b.id) ?? 0)),
        query,
      );
    });
  }),
  'has records without metadata': answers('verifications.queue')(withFields({ metadata: {} })),
  'has other answers than are stored': answers('verifications.queue')(withFields({ answers: { steps: {} } })),
  'has one client’s alone': on('verifications.queue')(async ({ next }, query) => {
    const [first] = (await next({ ...query, offset: 0 })).records;
    return next({ ...query, clientId: first?.clientId });
  }),
  'begins one too far': asks('verifications.queue')(({ offset }) => ({ offset: offset === 0 ? 0 : offset + 1 })),
  'takes the offset for a page number': asks('verifications.queue')(({ offset, limit }) => ({
    offset: offset * limit,
  })),
  'holds one too many': asks('verifications.queue')(({ limit }) => ({ limit: limit + 1 })),
  'counts the page instead of all': answers('verifications.queue')(countPage),
  'counts without the filters': on('verifications.queue')(({ next }, query) =>
    countOther(next(query), next({ ...query, type: undefined })),
  ),
  'has offsets of 32 bits': asks('verifications.queue')(({ offset }) => ({ offset: Math.max(0, offset | 0) })),
  'counts nothing past the end': answers('verifications.queue')(countNothingPastTheEnd),
  'reads the page first and counts later': on('verifications.queue')(({ next }, query) =>
    countLater(() => next(query)),
  ),
});

export const queueFiltersMutants: readonly Mutant[] = mutantsOf(queueFiltersSuite, {
  'has what is submitted alone': asks('verifications.queue')(() => ({ status: 'submitted' })),
  'passes over the type': asks('verifications.queue')(() => ({ type: undefined })),
  'passes over the client': asks('verifications.queue')(() => ({ clientId: undefined })),
  'passes over who claimed': asks('verifications.queue')(() => ({ claimedBy: undefined })),
  'takes nobody for anybody': asks('verifications.queue')(({ claimedBy }) => ({
    claimedBy: claimedBy ?? undefined,
  })),
  'takes anybody for nobody': asks('verifications.queue')(({ claimedBy = null }) => ({ claimedBy })),
  'takes an empty text for none': asks('verifications.queue')(({ clientId, claimedBy }) => ({
    clientId: clientId || undefined,
    claimedBy: claimedBy === '' ? undefined : claimedBy,
  })),
  'finds claims without regard to case': asks('verifications.queue')(({ claimedBy }) => ({
    claimedBy: claimedBy?.toLowerCase() ?? claimedBy,
  })),
  'fails on a client that is no UUID': asks('verifications.queue')(({ clientId }) =>
    clientId?.length === 36 ? {} : fail('invalid input syntax for type uuid'),
  ),
  'shows what nobody claimed besides': on('verifications.queue')(async ({ next }, query) =>
    typeof query.claimedBy === 'string' ? joined([next(query), next({ ...query, claimedBy: null })]) : next(query),
  ),
  'filters the page and not the whole': on('verifications.queue')(async ({ next }, query) => {
    const { records } = await next({ ...query, type: undefined });
    const { totalCount } = await next(query);
    return { records: records.filter(({ type }) => [undefined, type].includes(query.type)), totalCount };
  }),
});

interface Candidate {
  readonly record: VerificationRecord;
  readonly isSandbox: boolean;
}

async function candidatesOf(storage: Storage): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const { client } of await storage.clients.list()) {
    const records = await verificationsOf(storage, client.id);
    candidates.push(...records.map((record) => ({ record, isSandbox: client.sandbox })));
  }
  return candidates;
}

const isUnderWay = ({ status }: VerificationRecord): boolean => status === 'pending' || status === 'submitted';
const isDriven = ({ record, isSandbox }: Candidate): boolean => isSandbox && record.sandboxOutcome !== null;
const isDue = (each: Candidate): boolean =>
  isDriven(each) && each.record.claimedBy === null && isUnderWay(each.record);
const oldestFirst: Compare = (a, b) => Number(a.requestedAt) - Number(b.requestedAt);

/** Takes other verifications as due, or in another order. */
const takes = (isTaken: (candidate: Candidate) => boolean, order = oldestFirst): Break =>
  on('verifications.dueInSandbox')(async ({ storage }, limit) => {
    const taken = (await candidatesOf(storage)).filter(isTaken).map(({ record }) => record);
    return taken.sort(order).slice(0, limit);
  });

/** Changes each record that is due. */
const gives = (fields: Partial<VerificationRecord>): Break =>
  answers('verifications.dueInSandbox')((records) => records.map((record) => ({ ...record, ...fields })));

export const dueInSandboxMutants: readonly Mutant[] = mutantsOf(dueInSandboxSuite, {
  'takes ordinary clients for sandboxes': takes((each) => isDue({ ...each, isSandbox: true })),
  'takes what has no outcome': takes(({ record, isSandbox }) => isSandbox && isUnderWay(record)),
  'takes what is in any state': takes(isDriven),
  'takes what is active': takes((each) => isDriven(each) && each.record.resolvedAt === null),
  'takes what a reviewer has claimed': takes((each) => isDriven(each) && isUnderWay(each.record)),
  'takes what is pending alone': takes((each) => isDue(each) && each.record.status === 'pending'),
  'takes what is approved later alone': takes((each) => isDue(each) && each.record.sandboxOutcome !== 'rejected'),
  'begins with the newest': takes(isDue, (a, b) => oldestFirst(b, a)),
  'orders by the id': takes(isDue, byId),
  'orders by client': takes(isDue, byClient),
  'orders by seconds': takes(
    isDue,
    (a, b) => Number(toSeconds(a.requestedAt)) - Number(toSeconds(b.requestedAt)) || byId(a, b),
  ),
  'gives one too many': on('verifications.dueInSandbox')(({ next }, limit) => next(limit + 1)),
  'gives records without metadata': gives({ metadata: {} }),
  'gives records without answers': gives({ answers: {} }),
  'gives records without their outcome': gives({ sandboxOutcome: null }),
  'gives what is due once': remembering(() => {
    const given = new Set<string>();
    return answers('verifications.dueInSandbox')((records) => {
      const fresh = records.filter(({ id }) => !given.has(id));
      for (const { id } of fresh) given.add(id);
      return fresh;
    });
  }),
  'keeps the outcome of the creation': on('verifications.commit')(async ({ next, storage }, change) => {
    const stored = await storage.verifications.find(change.record.clientId, change.record.id);
    return next({ ...change, record: { ...change.record, sandboxOutcome: stored?.sandboxOutcome ?? null } });
  }),
  'forgets the outcome with a change': keepsRecord(({ version, sandboxOutcome }) => ({
    sandboxOutcome: version === 1 ? sandboxOutcome : null,
  })),
  'stores the outcome of a lost change': on('verifications.commit')(async ({ next, storage }, change) => {
    const answer = await next(change);
    const { clientId, id, sandboxOutcome } = change.record;
    const stored = await storage.verifications.find(clientId, id);
    if (answer.outcome === 'conflict' && stored !== null) {
      await next({ record: { ...stored, sandboxOutcome }, expectedVersion: stored.version, events: [] });
    }
    return answer;
  }),
  'remembers what a client was when it asked': remembering(() => {
    const sandboxes = new Map<string, boolean>();
    return both(
      on('verifications.createCharged')(async ({ next, storage }, request) => {
        const owner = await storage.clients.find(request.record.clientId);
        sandboxes.set(request.record.id, owner?.client.sandbox === true);
        return next(request);
      }),
      answers('verifications.dueInSandbox')((records) => records.filter(({ id }) => sandboxes.get(id))),
    );
  }),
  'drops what is due when the switch is turned': on('clients.setSandbox')(
    async ({ next, storage }, clientId, sandbox) => {
      for (const record of sandbox ? [] : await verificationsOf(storage, clientId)) {
        const change = { record: { ...record, sandboxOutcome: null }, expectedVersion: record.version };
        await storage.verifications.commit({ ...change, events: [] });
      }
      return next(clientId, sandbox);
    },
  ),
});

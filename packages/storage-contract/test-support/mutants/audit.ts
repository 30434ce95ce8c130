import type { AuditEntry } from '@countersign/domain';
import type { AuditHead, AuditQuery } from '@countersign/domain/storage';
import { auditChainSuite, auditLogSuite } from '../../src/suites/audit-log.ts';
import { auditAtOnceSuite, auditReadsSuite } from '../../src/suites/audit-reads.ts';
import { recordedActionsSuite } from '../../src/suites/journeys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  audit,
  type Break,
  both,
  clients,
  eachValue,
  fail,
  moved,
  numbersAsText,
  remembering,
  roundTrip,
  toSeconds,
  untilNul,
  withoutNulls,
} from './patch.ts';

const { append, head, list, read } = audit;

/** More lines than any case has. */
const ALL_LINES = 1_000;

const keepsLine = (keep: (line: AuditEntry) => Partial<AuditEntry>): Break =>
  append.override(({ next }, line, ...more) =>
    next({ ...line, ...keep(line) }, ...more.map((each) => ({ ...each, ...keep(each) }))),
  );
const showsLine = (show: (line: AuditEntry) => AuditEntry): Break => read.result((lines) => lines.map(show));

/** The place of the next line after a head. */
const placeAfter = (head: AuditHead | null): Pick<AuditEntry, 'sequence' | 'previousHash'> => ({
  sequence: (head?.sequence ?? 0) + 1,
  previousHash: head?.hash ?? '0'.repeat(64),
});

const keepsDetailNumbersAsText = keepsLine(({ detail }) => ({ detail: eachValue(detail, numbersAsText) }));
const leavesOutDetailNulls = keepsLine(({ detail }) => ({ detail: eachValue(detail, withoutNulls) }));
const refusesUnknownClients = append.override(async ({ next, storage }, line) => {
  const isKnown = line.clientId === null || (await storage.clients.find(line.clientId)) !== null;
  return isKnown ? next(line) : fail('FOREIGN KEY constraint failed');
});

export const auditLogMutants: readonly Mutant[] = mutantsOf(auditLogSuite, {
  'returns a head for an empty log': head.override(
    async ({ next }) => (await next()) ?? { sequence: 0, hash: '0'.repeat(64) },
  ),
  'truncates times to seconds': keepsLine(({ at }) => ({ at: toSeconds(at) })),
  'never lets time go back': remembering(() => {
    let latest = 0;
    return keepsLine(({ at }) => {
      latest = Math.max(latest, at.getTime());
      return { at: new Date(latest) };
    });
  }),
  'drops the detail': keepsLine(() => ({ detail: {} })),
  'stores numbers as text': keepsDetailNumbersAsText,
  'drops nulls of the detail': leavesOutDetailNulls,
  'trims texts': keepsLine(({ from, targetId }) => ({
    from: from?.trim() ?? null,
    targetId: targetId?.trim() ?? null,
  })),
  'truncates texts at 64 characters': keepsLine(({ from }) => ({ from: from?.slice(0, 64) ?? null })),
  'refuses lines of unknown clients': refusesUnknownClients,
  'stores the given line without a copy': remembering(() => {
    const held = new Map<number, AuditEntry>();
    return both(
      append.before((line) => held.set(line.sequence, line)),
      list.result((lines) => lines.map((line) => held.get(line.sequence) ?? line)),
    );
  }),
  'returns its own lines without a copy': remembering(() => {
    const held = new Map<number, AuditEntry>();
    return showsLine((line) => {
      held.set(line.sequence, held.get(line.sequence) ?? line);
      return held.get(line.sequence) ?? line;
    });
  }),
  'adds a field to given lines': append.override(({ next }, line) =>
    next(Object.assign(line, { storedAt: new Date(0) })),
  ),
});

const failsTheSecond = append.result((answer) =>
  answer.outcome === 'appended' ? answer : fail('could not serialize access due to concurrent update'),
);

export const auditChainMutants: readonly Mutant[] = mutantsOf(auditChainSuite, {
  'overwrites an existing line': remembering(() => {
    const written = new Map<number, AuditEntry>();
    return both(
      append.result((answer, line) => {
        if (answer.outcome === 'not_next' && line.sequence <= (answer.head?.sequence ?? 0)) {
          written.set(line.sequence, structuredClone(line));
        }
        return answer;
      }),
      showsLine((line) => written.get(line.sequence) ?? line),
    );
  }),
  'rewrites the outcome of an earlier line': remembering(() => {
    const amended = new Map<unknown, AuditEntry['outcome']>();
    return both(
      append.before((line) => amended.set(line.detail.of, line.outcome)),
      showsLine((line) => ({ ...line, outcome: amended.get(line.sequence) ?? line.outcome })),
    );
  }),
  'rewrites the lines of a changed client': remembering(() => {
    const changed = new Set<string | null>();
    return both(
      clients.setFileAccess.before((clientId) => changed.add(clientId)),
      showsLine((line) => (changed.has(line.clientId) ? { ...line, detail: { fileAccess: true } } : line)),
    );
  }),
});

export const auditAtOnceMutants: readonly Mutant[] = mutantsOf(auditAtOnceSuite, {
  'reads, then appends': append.override(async ({ next, storage }, line) => {
    const head = await storage.audit.head();
    if (line.sequence !== placeAfter(head).sequence) return { outcome: 'not_next', head };
    await roundTrip();
    for (;;) {
      const answer = await next({ ...line, ...placeAfter(await storage.audit.head()) });
      if (answer.outcome === 'appended') return answer;
    }
  }),
  'returns an outdated head': append.override(async ({ next, storage }, line) => {
    const head = await storage.audit.head();
    await roundTrip();
    const answer = await next(line);
    return answer.outcome === 'appended' ? answer : { outcome: 'not_next', head };
  }),
  'appends one at a time': append.oneAtATime(async ({ audit }) => ({
    outcome: 'not_next',
    head: await audit.head(),
  })),
  'fails the second writer': failsTheSecond,
  'answers before the line is stored': append.override(async ({ next }, line) => {
    const copy = structuredClone(line);
    void roundTrip().then(() => next(copy));
    return { outcome: 'appended' };
  }),
  'shows lines in gaps': remembering(() => {
    const unwritten = new Set<number>();
    return both(
      append.after((_, { sequence }) => {
        unwritten.add(sequence - 1);
        void roundTrip().then(() => unwritten.delete(sequence - 1));
      }),
      read.override(async ({ next }, after, limit) =>
        (await next(after, ALL_LINES)).filter(({ sequence }) => !unwritten.has(sequence)).slice(0, limit),
      ),
    );
  }),
});

/** Chooses the page in another way, among all lines, the newest first. */
const chooses = (choose: (lines: readonly AuditEntry[], query: AuditQuery) => readonly AuditEntry[]): Break =>
  list.override(async ({ next }, query) => {
    const everything = { actorId: undefined, clientId: undefined, action: undefined, outcome: undefined };
    const times = { appendedFrom: undefined, appendedUntil: undefined };
    const lines = await next({ ...everything, ...times, before: undefined, limit: ALL_LINES });
    return choose(lines, query).slice(0, query.limit);
  });

export const auditReadsMutants: readonly Mutant[] = mutantsOf(auditReadsSuite, {
  ...list.ignoring('before', 'actorId', 'clientId', 'action', 'outcome', 'appendedFrom', 'appendedUntil'),
  'leaves out the moment it begins with': list.input(({ appendedFrom }) => ({
    appendedFrom: appendedFrom && moved(appendedFrom, 1),
  })),
  'includes the moment it ends with': list.input(({ appendedUntil }) => ({
    appendedUntil: appendedUntil && moved(appendedUntil, 1),
  })),
  'compares times in seconds': list.input(({ appendedFrom, appendedUntil }) => ({
    appendedFrom: appendedFrom && toSeconds(appendedFrom),
    appendedUntil: appendedUntil && toSeconds(appendedUntil),
  })),
  'orders a range of time by time': list.override(async ({ next }, query) => {
    const isOfTime = query.appendedFrom !== undefined || query.appendedUntil !== undefined;
    const lines = await next(isOfTime ? { ...query, limit: ALL_LINES } : query);
    return isOfTime ? [...lines].sort((a, b) => Number(b.at) - Number(a.at)).slice(0, query.limit) : lines;
  }),
  'orders sequences as text': chooses((lines) =>
    [...lines].sort((a, b) => (String(a.sequence) < String(b.sequence) ? 1 : -1)),
  ),
  'lists one too many': list.input(({ limit }) => ({ limit: limit + 1 })),
  'repeats the line at before': list.input(({ before }) => ({
    before: before === undefined ? undefined : before + 1,
  })),
  'ignores before: 0': list.input(({ before }) => ({ before: before || undefined })),
  'truncates sequences to 32 bits': list.input(({ before }) => ({
    before: before === undefined ? undefined : before | 0,
  })),
  'ignores empty texts': list.input(({ actorId, clientId }) => ({
    actorId: actorId || undefined,
    clientId: clientId || undefined,
  })),
  'compares actors without case': list.input(({ actorId }) => ({ actorId: actorId?.toLowerCase() })),
  'truncates client ids at NUL': list.input(({ clientId }) => ({ clientId: clientId && untilNul(clientId) })),
  'fails on a client id that is not a UUID': list.input(({ clientId }) =>
    (clientId?.length ?? 36) === 36 ? {} : fail('invalid input syntax for type uuid'),
  ),
  'fails on NUL': list.input(({ actorId }) =>
    actorId?.includes('\u0000') ? fail('invalid byte sequence for encoding "UTF8": 0x00') : {},
  ),
  'lists lines of anonymous actors too': list.override(async ({ next }, query) =>
    (await next({ ...query, actorId: undefined })).filter(({ actor }) =>
      [undefined, actor.id ?? query.actorId].includes(query.actorId),
    ),
  ),
  'filters after paging': chooses((lines, { actorId, clientId, action, outcome, before, limit }) =>
    lines
      .filter(({ sequence }) => before === undefined || sequence < before)
      .slice(0, limit)
      .filter(
        (line) =>
          [undefined, line.actor.id].includes(actorId) &&
          [undefined, line.clientId].includes(clientId) &&
          [undefined, line.action].includes(action) &&
          [undefined, line.outcome].includes(outcome),
      ),
  ),
  'truncates after to 32 bits': read.override(({ next }, after, limit) => next(after | 0, limit)),
});

export const recordedActionsMutants: readonly Mutant[] = mutantsOf(recordedActionsSuite, {
  'truncates times to minutes': keepsLine(({ at }) => ({ at: moved(at, -(at.getTime() % 60_000)) })),
  'stores numbers as text': keepsDetailNumbersAsText,
  'drops nulls of the detail': leavesOutDetailNulls,
  'fails the second writer': failsTheSecond,
});

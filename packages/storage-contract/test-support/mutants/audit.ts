import type { AuditEntry, AuditHead, AuditQuery } from '@countersign/domain';
import { auditChainSuite, auditLogSuite } from '../../src/suites/audit-log.ts';
import { auditAtOnceSuite, auditReadsSuite } from '../../src/suites/audit-reads.ts';
import { recordedActsSuite } from '../../src/suites/journeys.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  answers,
  asks,
  type Break,
  both,
  eachValue,
  fail,
  moved,
  numbersAsText,
  on,
  oneAtATime,
  remembering,
  roundTrip,
  toSeconds,
  withoutNulls,
} from './patch.ts';

/** More lines than any case has. */
const ALL_LINES = 1_000;

const keepsLine = (keep: (line: AuditEntry) => Partial<AuditEntry>): Break => asks('audit.append')(keep);
const showsLine = (show: (line: AuditEntry) => AuditEntry): Break =>
  answers('audit.read')((lines) => lines.map(show));

/** The place of the next line after a head. */
const placeAfter = (head: AuditHead | null): Pick<AuditEntry, 'sequence' | 'previousHash'> => ({
  sequence: (head?.sequence ?? 0) + 1,
  previousHash: head?.hash ?? '0'.repeat(64),
});

const forgetsTarget = keepsLine(() => ({ targetId: null }));
const keepsDetailNumbersAsText = keepsLine(({ detail }) => ({ detail: eachValue(detail, numbersAsText) }));
const leavesOutDetailNulls = keepsLine(({ detail }) => ({ detail: eachValue(detail, withoutNulls) }));
const makesUpActorIds = keepsLine(({ actor }) => ({ actor: { ...actor, id: actor.id ?? '' } }));
const refusesUnknownClients = on('audit.append')(async ({ next, storage }, line) => {
  const isKnown = line.clientId === null || (await storage.clients.find(line.clientId)) !== null;
  return isKnown ? next(line) : fail('FOREIGN KEY constraint failed');
});

export const auditLogMutants: readonly Mutant[] = mutantsOf(auditLogSuite, {
  'has a head of its own where there is none': on('audit.head')(
    async ({ next }) => (await next()) ?? { sequence: 0, hash: '0'.repeat(64) },
  ),
  'has the first line for its head': on('audit.head')(
    async ({ storage }) =>
      (await storage.audit.read(0, 1)).map(({ sequence, hash }) => ({ sequence, hash }))[0] ?? null,
  ),
  'has the hash of the line before in its head': on('audit.head')(async ({ storage }) => {
    const last = (await storage.audit.read(0, ALL_LINES)).at(-1);
    return last === undefined ? null : { sequence: last.sequence, hash: last.previousHash };
  }),
  'keeps moments to the second': keepsLine(({ at }) => ({ at: toSeconds(at) })),
  'never lets moments go back': remembering(() => {
    let latest = 0;
    return keepsLine(({ at }) => {
      latest = Math.max(latest, at.getTime());
      return { at: new Date(latest) };
    });
  }),
  'forgets from where': keepsLine(() => ({ from: null })),
  'forgets who': keepsLine(({ actor }) => ({ actor: { ...actor, id: null } })),
  'makes an id for whoever has none': makesUpActorIds,
  'forgets upon what': forgetsTarget,
  'forgets the detail': keepsLine(() => ({ detail: {} })),
  'keeps numbers as text': keepsDetailNumbersAsText,
  'leaves out nulls of a detail': leavesOutDetailNulls,
  'trims texts': keepsLine(({ from, targetId }) => ({
    from: from?.trim() ?? null,
    targetId: targetId?.trim() ?? null,
  })),
  'cuts texts at 64 characters': keepsLine(({ from }) => ({ from: from?.slice(0, 64) ?? null })),
  'takes an unknown failure for a refusal': keepsLine(({ outcome }) => ({
    outcome: outcome === 'failed' ? 'refused' : outcome,
  })),
  'has no room for clients that it does not know': refusesUnknownClients,
  'keeps the line itself': remembering(() => {
    const held = new Map<number, AuditEntry>();
    return both(
      on('audit.append')(({ next }, line) => {
        held.set(line.sequence, line);
        return next(line);
      }),
      answers('audit.list')((lines) => lines.map((line) => held.get(line.sequence) ?? line)),
    );
  }),
  'gives out the lines that it holds': remembering(() => {
    const held = new Map<number, AuditEntry>();
    return showsLine((line) => {
      held.set(line.sequence, held.get(line.sequence) ?? line);
      return held.get(line.sequence) ?? line;
    });
  }),
  'stamps the lines that it is given': on('audit.append')(({ next }, line) =>
    next(Object.assign(line, { storedAt: new Date(0) })),
  ),
});

const tellsNoHead = answers('audit.append')((answer) =>
  answer.outcome === 'appended' ? answer : { outcome: 'not_next', head: null },
);
const failsTheSecond = answers('audit.append')((answer) =>
  answer.outcome === 'appended' ? answer : fail('could not serialize access due to concurrent update'),
);

export const auditChainMutants: readonly Mutant[] = mutantsOf(auditChainSuite, {
  'appends wherever a line is the next by its number': on('audit.append')(async ({ next, storage }, line) => {
    const place = placeAfter(await storage.audit.head());
    return next(line.sequence === place.sequence ? { ...line, ...place } : line);
  }),
  'gives a line the next number itself': on('audit.append')(async ({ next, storage }, line) =>
    next({ ...line, ...placeAfter(await storage.audit.head()) }),
  ),
  'tells no head': tellsNoHead,
  'fails on a line that is there': failsTheSecond,
  'appends nothing more after a refusal': remembering(() => {
    let isLost = false;
    return on('audit.append')(async ({ next, storage }, line) => {
      if (isLost) return { outcome: 'not_next', head: await storage.audit.head() };
      const answer = await next(line);
      isLost = answer.outcome === 'not_next';
      return answer;
    });
  }),
  'writes over a line that is there': remembering(() => {
    const written = new Map<number, AuditEntry>();
    return both(
      answers('audit.append')((answer, line) => {
        if (answer.outcome === 'not_next' && line.sequence <= (answer.head?.sequence ?? 0)) {
          written.set(line.sequence, structuredClone(line));
        }
        return answer;
      }),
      showsLine((line) => written.get(line.sequence) ?? line),
    );
  }),
  'amends a line by what came of it': remembering(() => {
    const amended = new Map<unknown, AuditEntry['outcome']>();
    return both(
      on('audit.append')(({ next }, line) => {
        amended.set(line.detail.of, line.outcome);
        return next(line);
      }),
      showsLine((line) => ({ ...line, outcome: amended.get(line.sequence) ?? line.outcome })),
    );
  }),
  'moves a line to what its client is now': remembering(() => {
    const sandboxes = new Set<string | null>();
    return both(
      on('clients.setSandbox')(({ next }, clientId, sandbox) => {
        if (sandbox) sandboxes.add(clientId);
        return next(clientId, sandbox);
      }),
      showsLine((line) => (sandboxes.has(line.clientId) ? { ...line, detail: { sandbox: true } } : line)),
    );
  }),
});

export const auditAtOnceMutants: readonly Mutant[] = mutantsOf(auditAtOnceSuite, {
  'looks first and appends later': on('audit.append')(async ({ next, storage }, line) => {
    const head = await storage.audit.head();
    if (line.sequence !== placeAfter(head).sequence) return { outcome: 'not_next', head };
    await roundTrip();
    for (;;) {
      const answer = await next({ ...line, ...placeAfter(await storage.audit.head()) });
      if (answer.outcome === 'appended') return answer;
    }
  }),
  'tells the head that it saw before': on('audit.append')(async ({ next, storage }, line) => {
    const head = await storage.audit.head();
    await roundTrip();
    const answer = await next(line);
    return answer.outcome === 'appended' ? answer : { outcome: 'not_next', head };
  }),
  'appends one at a time': oneAtATime('audit.append')(async ({ audit }) => ({
    outcome: 'not_next',
    head: await audit.head(),
  })),
  'fails whoever comes second': failsTheSecond,
  'answers before the line is there': on('audit.append')(async ({ next }, line) => {
    const copy = structuredClone(line);
    void roundTrip().then(() => next(copy));
    return { outcome: 'appended' };
  }),
  'numbers lines before it writes them': remembering(() => {
    const unwritten = new Set<number>();
    return both(
      answers('audit.append')((answer, { sequence }) => {
        unwritten.add(sequence - 1);
        void roundTrip().then(() => unwritten.delete(sequence - 1));
        return answer;
      }),
      on('audit.read')(async ({ next }, after, limit) =>
        (await next(after, ALL_LINES)).filter(({ sequence }) => !unwritten.has(sequence)).slice(0, limit),
      ),
    );
  }),
});

/** Chooses the page in another way, among all lines, the newest first. */
const chooses = (choose: (lines: readonly AuditEntry[], query: AuditQuery) => readonly AuditEntry[]): Break =>
  on('audit.list')(async ({ next }, query) => {
    const everything = { actorId: undefined, clientId: undefined, action: undefined, outcome: undefined };
    const lines = await next({ ...everything, before: undefined, limit: ALL_LINES });
    return choose(lines, query).slice(0, query.limit);
  });

export const auditReadsMutants: readonly Mutant[] = mutantsOf(auditReadsSuite, {
  'lists the oldest first': chooses((lines) => [...lines].reverse()),
  'lists by moments': chooses((lines) => [...lines].sort((a, b) => Number(b.at) - Number(a.at))),
  'orders sequences as text': chooses((lines) =>
    [...lines].sort((a, b) => (String(a.sequence) < String(b.sequence) ? 1 : -1)),
  ),
  'lists one too many': asks('audit.list')(({ limit }) => ({ limit: limit + 1 })),
  'goes on with the line itself': asks('audit.list')(({ before }) => ({
    before: before === undefined ? undefined : before + 1,
  })),
  'goes on from the newest': asks('audit.list')(() => ({ before: undefined })),
  'takes line 0 for none': asks('audit.list')(({ before }) => ({ before: before || undefined })),
  'has sequences of 32 bits': asks('audit.list')(({ before }) => ({
    before: before === undefined ? undefined : before | 0,
  })),
  'passes over who acted': asks('audit.list')(() => ({ actorId: undefined })),
  'passes over the client': asks('audit.list')(() => ({ clientId: undefined })),
  'passes over the action': asks('audit.list')(() => ({ action: undefined })),
  'passes over the outcome': asks('audit.list')(() => ({ outcome: undefined })),
  'takes an empty text for none': asks('audit.list')(({ actorId, clientId }) => ({
    actorId: actorId || undefined,
    clientId: clientId || undefined,
  })),
  'finds who acted without regard to case': asks('audit.list')(({ actorId }) => ({
    actorId: actorId?.toLowerCase(),
  })),
  'cuts a client at NUL': asks('audit.list')(({ clientId }) => ({ clientId: clientId?.split('\u0000')[0] })),
  'fails on a client that is no UUID': asks('audit.list')(({ clientId }) =>
    (clientId?.length ?? 36) === 36 ? {} : fail('invalid input syntax for type uuid'),
  ),
  'fails on NUL': asks('audit.list')(({ actorId }) =>
    actorId?.includes('\u0000') ? fail('invalid byte sequence for encoding "UTF8": 0x00') : {},
  ),
  'shows what nobody did besides': on('audit.list')(async ({ next }, query) =>
    (await next({ ...query, actorId: undefined })).filter(({ actor }) =>
      [undefined, actor.id ?? query.actorId].includes(query.actorId),
    ),
  ),
  'filters the page and not the whole': chooses((lines, { actorId, clientId, action, outcome, before, limit }) =>
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
  'reads from the line itself on': on('audit.read')(({ next }, after, limit) => next(after - 1, limit)),
  'takes where to begin for an offset of pages': on('audit.read')(({ next }, after, limit) =>
    next(after * limit, limit),
  ),
  'reads the newest first': answers('audit.read')((lines) => [...lines].reverse()),
  'reads by moments': on('audit.read')(async ({ next }, after, limit) =>
    [...(await next(after, ALL_LINES))].sort((a, b) => Number(a.at) - Number(b.at)).slice(0, limit),
  ),
  'reads one too many': on('audit.read')(({ next }, after, limit) => next(after, limit + 1)),
  'reads from a place of 32 bits': on('audit.read')(({ next }, after, limit) => next(after | 0, limit)),
  'passes over what failed': answers('audit.read')((lines) => lines.filter(({ outcome }) => outcome !== 'failed')),
});

export const recordedActsMutants: readonly Mutant[] = mutantsOf(recordedActsSuite, {
  'keeps moments to the minute': keepsLine(({ at }) => ({ at: moved(at, -(at.getTime() % 60_000)) })),
  'keeps numbers of a detail as text': keepsDetailNumbersAsText,
  'leaves out nulls of a detail': leavesOutDetailNulls,
  'makes an id for whoever has none': makesUpActorIds,
  'forgets upon what': forgetsTarget,
  'loses what is refused': on('audit.append')(async ({ next }, line) =>
    line.outcome === 'refused' ? { outcome: 'appended' } : next(line),
  ),
  'passes over the outcome': asks('audit.list')(() => ({ outcome: undefined })),
  'reads the first line alone': on('audit.read')(async ({ next }, after, limit) =>
    after > 0 ? [] : next(0, Math.min(1, limit)),
  ),
  'has no room for clients that it does not know': refusesUnknownClients,
  'fails whoever comes second': failsTheSecond,
  'gives a line the next place itself': on('audit.append')(async ({ next, storage }, line) => {
    await roundTrip();
    for (;;) {
      const answer = await next({ ...line, ...placeAfter(await storage.audit.head()) });
      if (answer.outcome === 'appended') return answer;
    }
  }),
  'tells no head': tellsNoHead,
});

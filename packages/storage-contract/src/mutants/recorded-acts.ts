import { recordedActsSuite } from '../suites/recorded-acts.ts';
import { appending, askingForLines, keepingLines, readingLines } from './audits.ts';
import { eachValue } from './lossy.ts';
import { type Mutant, mutantsOf, roundTrip } from './mutant.ts';

export const recordedActsMutants: readonly Mutant[] = mutantsOf(recordedActsSuite, {
  'keeps moments to the minute': keepingLines(({ at }) => ({
    at: new Date(Math.floor(at.getTime() / 60_000) * 60_000),
  })),
  'keeps numbers of a detail as text': keepingLines(({ detail }) => ({
    detail: eachValue(detail, (value) => (typeof value === 'number' ? String(value) : value)),
  })),
  'leaves out nulls of a detail': keepingLines(({ detail }) => ({
    detail: eachValue(detail, (value) => (value === null ? undefined : value)),
  })),
  'makes an id for whoever has none': keepingLines(({ actor }) => ({ actor: { ...actor, id: actor.id ?? '' } })),
  'forgets upon what': keepingLines(() => ({ targetId: null })),
  'loses what is refused': (storage) =>
    appending(storage, async (next, entry) =>
      entry.outcome === 'refused' ? { outcome: 'appended' } : next(entry),
    ),
  'passes over the outcome': askingForLines(() => ({ outcome: undefined })),
  'reads the first line alone': readingLines(async (next, after, limit) =>
    after > 0 ? [] : next(0, Math.min(1, limit)),
  ),
  'has no room for clients that it does not know': (storage) =>
    appending(storage, async (next, entry) => {
      if (entry.clientId === null || (await storage.clients.find(entry.clientId)) !== null) return next(entry);
      throw new Error('FOREIGN KEY constraint failed');
    }),
  'fails whoever comes second': (storage) =>
    appending(storage, async (next, entry) => {
      const answer = await next(entry);
      if (answer.outcome === 'appended') return answer;
      throw new Error('could not serialize access due to concurrent update');
    }),
  'gives a line the next place itself': (storage) =>
    appending(storage, async (next, entry) => {
      await roundTrip();
      for (;;) {
        const head = await storage.audit.head();
        const place = { sequence: (head?.sequence ?? 0) + 1, previousHash: head?.hash ?? '0'.repeat(64) };
        const answer = await next({ ...entry, ...place });
        if (answer.outcome === 'appended') return answer;
      }
    }),
  'tells no head': (storage) =>
    appending(storage, async (next, entry) => {
      const answer = await next(entry);
      return answer.outcome === 'appended' ? answer : { outcome: 'not_next', head: null };
    }),
});

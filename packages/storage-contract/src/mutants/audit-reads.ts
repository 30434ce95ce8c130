import { auditReadsSuite } from '../suites/audit-reads.ts';
import { ALL_LINES, askingForLines, choosingLines, readingLines } from './audits.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const auditReadsMutants: readonly Mutant[] = mutantsOf(auditReadsSuite, {
  'lists the oldest first': choosingLines((lines, { limit }) => [...lines].reverse().slice(0, limit)),
  'lists by moments': choosingLines((lines, { limit }) =>
    [...lines].sort((a, b) => Number(b.at) - Number(a.at)).slice(0, limit),
  ),
  'orders sequences as text': choosingLines((lines, { limit }) =>
    [...lines].sort((a, b) => (String(a.sequence) < String(b.sequence) ? 1 : -1)).slice(0, limit),
  ),
  'lists one too many': askingForLines(({ limit }) => ({ limit: limit + 1 })),
  'goes on with the line itself': askingForLines(({ before }) => ({
    before: before === undefined ? undefined : before + 1,
  })),
  'goes on from the newest': askingForLines(() => ({ before: undefined })),
  'takes line 0 for none': askingForLines(({ before }) => ({ before: before || undefined })),
  'has sequences of 32 bits': askingForLines(({ before }) => ({
    before: before === undefined ? undefined : before | 0,
  })),
  'passes over who acted': askingForLines(() => ({ actorId: undefined })),
  'passes over the client': askingForLines(() => ({ clientId: undefined })),
  'passes over the action': askingForLines(() => ({ action: undefined })),
  'passes over the outcome': askingForLines(() => ({ outcome: undefined })),
  'takes an empty text for none': askingForLines(({ actorId, clientId }) => ({
    actorId: actorId || undefined,
    clientId: clientId || undefined,
  })),
  'finds who acted without regard to case': askingForLines(({ actorId }) => ({ actorId: actorId?.toLowerCase() })),
  'cuts a client at NUL': askingForLines(({ clientId }) => ({ clientId: clientId?.split('\u0000')[0] })),
  'fails on a client that is no UUID': (storage) =>
    patched(storage, {
      audit: {
        list: async (query) => {
          if (query.clientId !== undefined && query.clientId.length !== 36) {
            throw new Error('invalid input syntax for type uuid');
          }
          return storage.audit.list(query);
        },
      },
    }),
  'fails on NUL': (storage) =>
    patched(storage, {
      audit: {
        list: async (query) => {
          if (query.actorId?.includes('\u0000'))
            throw new Error('invalid byte sequence for encoding "UTF8": 0x00');
          return storage.audit.list(query);
        },
      },
    }),
  'shows what nobody did besides': (storage) =>
    patched(storage, {
      audit: {
        list: async (query) =>
          (await storage.audit.list({ ...query, actorId: undefined })).filter(({ actor }) =>
            [undefined, actor.id ?? query.actorId].includes(query.actorId),
          ),
      },
    }),
  'filters the page and not the whole': choosingLines(
    (lines, { actorId, clientId, action, outcome, before, limit }) =>
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
  'reads from the line itself on': readingLines((next, after, limit) => next(after - 1, limit)),
  'takes where to begin for an offset of pages': readingLines((next, after, limit) => next(after * limit, limit)),
  'reads the newest first': readingLines(async (next, after, limit) => [...(await next(after, limit))].reverse()),
  'reads by moments': readingLines(async (next, after, limit) =>
    [...(await next(after, ALL_LINES))].sort((a, b) => Number(a.at) - Number(b.at)).slice(0, limit),
  ),
  'reads one too many': readingLines((next, after, limit) => next(after, limit + 1)),
  'reads from a place of 32 bits': readingLines((next, after, limit) => next(after | 0, limit)),
  'passes over what failed': readingLines(async (next, after, limit) =>
    (await next(after, limit)).filter(({ outcome }) => outcome !== 'failed'),
  ),
});

import type { AuditEntry } from '@countersign/domain';
import { auditLogSuite } from '../suites/audit-log.ts';
import { ALL_LINES, appending, keepingLines } from './audits.ts';
import { eachValue, toSeconds } from './lossy.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const auditLogMutants: readonly Mutant[] = mutantsOf(auditLogSuite, {
  'has a head of its own where there is none': (storage) =>
    patched(storage, {
      audit: { head: async () => (await storage.audit.head()) ?? { sequence: 0, hash: '0'.repeat(64) } },
    }),
  'has the first line for its head': (storage) =>
    patched(storage, {
      audit: {
        head: async () => {
          const [first] = await storage.audit.read(0, 1);
          return first === undefined ? null : { sequence: first.sequence, hash: first.hash };
        },
      },
    }),
  'has the hash of the line before in its head': (storage) =>
    patched(storage, {
      audit: {
        head: async () => {
          const last = (await storage.audit.read(0, ALL_LINES)).at(-1);
          return last === undefined ? null : { sequence: last.sequence, hash: last.previousHash };
        },
      },
    }),
  'keeps moments to the second': keepingLines(({ at }) => ({ at: toSeconds(at) })),
  'never lets moments go back': (storage) => {
    let latest = 0;
    return appending(storage, (next, entry) => {
      latest = Math.max(latest, entry.at.getTime());
      return next({ ...entry, at: new Date(latest) });
    });
  },
  'forgets from where': keepingLines(() => ({ from: null })),
  'forgets who': keepingLines(({ actor }) => ({ actor: { ...actor, id: null } })),
  'makes an id for whoever has none': keepingLines(({ actor }) => ({ actor: { ...actor, id: actor.id ?? '' } })),
  'forgets upon what': keepingLines(() => ({ targetId: null })),
  'forgets the detail': keepingLines(() => ({ detail: {} })),
  'keeps numbers as text': keepingLines(({ detail }) => ({
    detail: eachValue(detail, (value) => (typeof value === 'number' ? String(value) : value)),
  })),
  'leaves out nulls of a detail': keepingLines(({ detail }) => ({
    detail: eachValue(detail, (value) => (value === null ? undefined : value)),
  })),
  'trims texts': keepingLines(({ from, targetId }) => ({
    from: from?.trim() ?? null,
    targetId: targetId?.trim() ?? null,
  })),
  'cuts texts at 64 characters': keepingLines(({ from }) => ({ from: from?.slice(0, 64) ?? null })),
  'takes an unknown failure for a refusal': keepingLines(({ outcome }) => ({
    outcome: outcome === 'failed' ? 'refused' : outcome,
  })),
  'has no room for clients that it does not know': (storage) =>
    appending(storage, async (next, entry) => {
      if (entry.clientId === null || (await storage.clients.find(entry.clientId)) !== null) return next(entry);
      throw new Error('FOREIGN KEY constraint failed');
    }),
  'keeps the line itself': (storage) => {
    const held = new Map<number, AuditEntry>();
    return patched(storage, {
      audit: {
        append: (entry) => {
          held.set(entry.sequence, entry);
          return storage.audit.append(entry);
        },
        list: async (query) => (await storage.audit.list(query)).map((line) => held.get(line.sequence) ?? line),
      },
    });
  },
  'gives out the lines that it holds': (storage) => {
    const held = new Map<number, AuditEntry>();
    return patched(storage, {
      audit: {
        read: async (after, limit) => {
          const lines = await storage.audit.read(after, limit);
          for (const line of lines) held.set(line.sequence, held.get(line.sequence) ?? line);
          return lines.map((line) => held.get(line.sequence) ?? line);
        },
      },
    });
  },
  'stamps the lines that it is given': (storage) =>
    appending(storage, (next, entry) => {
      Object.assign(entry, { storedAt: new Date(0) });
      return next(entry);
    }),
});

import type { AuditEntry, Storage } from '@countersign/domain';
import { auditChainSuite } from '../suites/audit-chain.ts';
import { appending } from './audits.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const auditChainMutants: readonly Mutant[] = mutantsOf(auditChainSuite, {
  'appends wherever a line is the next by its number': (storage) =>
    appending(storage, async (next, entry) => {
      const head = await storage.audit.head();
      const isNext = entry.sequence === (head?.sequence ?? 0) + 1;
      return next(isNext ? { ...entry, previousHash: head?.hash ?? '0'.repeat(64) } : entry);
    }),
  'gives a line the next number itself': (storage) =>
    appending(storage, async (next, entry) => {
      const head = await storage.audit.head();
      return next({ ...entry, sequence: (head?.sequence ?? 0) + 1, previousHash: head?.hash ?? '0'.repeat(64) });
    }),
  'tells no head': (storage) =>
    appending(storage, async (next, entry) => {
      const answer = await next(entry);
      return answer.outcome === 'appended' ? answer : { outcome: 'not_next', head: null };
    }),
  'fails on a line that is there': (storage) =>
    appending(storage, async (next, entry) => {
      const answer = await next(entry);
      if (answer.outcome === 'appended') return answer;
      throw new Error('UNIQUE constraint failed: audit.sequence');
    }),
  'appends nothing more after a refusal': (storage) => {
    let isLost = false;
    return appending(storage, async (next, entry) => {
      if (isLost) return { outcome: 'not_next', head: await storage.audit.head() };
      const answer = await next(entry);
      isLost = answer.outcome === 'not_next';
      return answer;
    });
  },
  'writes over a line that is there': (storage) => {
    const written = new Map<number, AuditEntry>();
    return reading(
      appending(storage, async (next, entry) => {
        const answer = await next(entry);
        if (answer.outcome === 'not_next' && entry.sequence <= (answer.head?.sequence ?? 0)) {
          written.set(entry.sequence, structuredClone(entry));
        }
        return answer;
      }),
      (line) => written.get(line.sequence) ?? line,
    );
  },
  'amends a line by what came of it': (storage) => {
    const amended = new Map<unknown, AuditEntry['outcome']>();
    return reading(
      appending(storage, (next, entry) => {
        amended.set(entry.detail.of, entry.outcome);
        return next(entry);
      }),
      (line) => ({ ...line, outcome: amended.get(line.sequence) ?? line.outcome }),
    );
  },
  'moves a line to what its client is now': (storage) => {
    const sandboxes = new Set<string>();
    const marking = patched(storage, {
      clients: {
        setSandbox: (clientId, sandbox) => {
          if (sandbox) sandboxes.add(clientId);
          return storage.clients.setSandbox(clientId, sandbox);
        },
      },
    });
    return reading(marking, (line) =>
      sandboxes.has(line.clientId ?? '') ? { ...line, detail: { sandbox: true } } : line,
    );
  },
});

/** Shows each line in a way of its own. */
function reading(storage: Storage, show: (line: AuditEntry) => AuditEntry): Storage {
  return patched(storage, {
    audit: { read: async (after, limit) => (await storage.audit.read(after, limit)).map(show) },
  });
}

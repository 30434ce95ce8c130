import type { AuditEntry } from '@countersign/domain';
import { auditAtOnceSuite } from '../suites/audit-at-once.ts';
import { ALL_LINES, appending } from './audits.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

export const auditAtOnceMutants: readonly Mutant[] = mutantsOf(auditAtOnceSuite, {
  'looks first and appends later': (storage) =>
    appending(storage, async (next, entry) => {
      const head = await storage.audit.head();
      if (entry.sequence !== (head?.sequence ?? 0) + 1) return { outcome: 'not_next', head };
      await roundTrip();
      for (;;) {
        const now = await storage.audit.head();
        const sequence = (now?.sequence ?? 0) + 1;
        const answer = await next({ ...entry, sequence, previousHash: now?.hash ?? '0'.repeat(64) });
        if (answer.outcome === 'appended') return answer;
      }
    }),
  'tells the head that it saw before': (storage) =>
    appending(storage, async (next, entry) => {
      const head = await storage.audit.head();
      await roundTrip();
      const answer = await next(entry);
      return answer.outcome === 'appended' ? answer : { outcome: 'not_next', head };
    }),
  'appends one at a time': (storage) => {
    let busy = false;
    return appending(storage, async (next, entry) => {
      if (busy) return { outcome: 'not_next', head: await storage.audit.head() };
      busy = true;
      await roundTrip();
      busy = false;
      return next(entry);
    });
  },
  'fails whoever comes second': (storage) =>
    appending(storage, async (next, entry) => {
      const answer = await next(entry);
      if (answer.outcome === 'appended') return answer;
      throw new Error('could not serialize access due to concurrent update');
    }),
  'answers before the line is there': (storage) => {
    const underWay: AuditEntry[] = [];
    return patched(storage, {
      audit: {
        append: async (entry) => {
          const line = structuredClone(entry);
          underWay.push(line);
          void roundTrip().then(() => storage.audit.append(line));
          return { outcome: 'appended' };
        },
      },
    });
  },
  'numbers lines before it writes them': (storage) => {
    const unwritten = new Set<number>();
    return patched(storage, {
      audit: {
        append: async (entry) => {
          const answer = await storage.audit.append(entry);
          unwritten.add(entry.sequence - 1);
          void roundTrip().then(() => unwritten.delete(entry.sequence - 1));
          return answer;
        },
        read: async (after, limit) =>
          (await storage.audit.read(after, ALL_LINES))
            .filter(({ sequence }) => !unwritten.has(sequence))
            .slice(0, limit),
      },
    });
  },
});

import { type AuditHead, type AuditLog, isListedEntry, NO_PREVIOUS_HASH } from '@countersign/domain/storage';
import type { Tables } from './tables.ts';

export function createAuditLog({ audit }: Tables): AuditLog {
  const head = (): AuditHead | null => {
    const last = audit.at(-1);
    return last === undefined ? null : { sequence: last.sequence, hash: last.hash };
  };

  return {
    async append(...entries) {
      let last = head();
      for (const entry of entries) {
        const isNext =
          entry.sequence === (last?.sequence ?? 0) + 1 && entry.previousHash === (last?.hash ?? NO_PREVIOUS_HASH);
        if (!isNext) return { outcome: 'not_next', head: head() };
        last = entry;
      }
      audit.push(...structuredClone(entries));
      return { outcome: 'appended' };
    },

    head: async () => head(),

    async list(query) {
      const matching = audit.filter((entry) => isListedEntry(entry, query));
      return structuredClone(matching.reverse().slice(0, query.limit));
    },

    async read(after, limit) {
      const left = audit.filter(({ sequence }) => sequence > after);
      return structuredClone(left.slice(0, limit));
    },
  };
}

import { type AuditHead, type AuditLog, isListedEntry, NO_PREVIOUS_HASH } from '@countersign/domain/storage';
import type { Sync, Tables } from './tables.ts';

/** The audit log: entries in the order of their sequence. */
export function createAuditLog({ audit }: Tables): Sync<AuditLog> {
  const head = (): AuditHead | null => {
    const last = audit.all().at(-1);
    return last === undefined ? null : { sequence: last.sequence, hash: last.hash };
  };
  return {
    append(...entries) {
      const stored = head();
      let last = stored;
      for (const entry of entries) {
        const isNext =
          entry.sequence === (last?.sequence ?? 0) + 1 && entry.previousHash === (last?.hash ?? NO_PREVIOUS_HASH);
        if (!isNext) return { outcome: 'not_next', head: stored };
        last = entry;
      }
      for (const entry of entries) audit.put([entry.sequence], entry);
      return { outcome: 'appended' };
    },
    head,
    list: (query) =>
      audit
        .all()
        .filter((entry) => isListedEntry(entry, query))
        .reverse()
        .slice(0, query.limit),
    read: (after, limit) =>
      audit
        .all()
        .filter(({ sequence }) => sequence > after)
        .slice(0, limit),
  };
}

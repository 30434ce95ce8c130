import { type AuditHead, type AuditLog, isListedEntry, NO_PREVIOUS_HASH } from '@countersign/domain/storage';
import type { Sync, Tables } from './tables.ts';

/** The audit log: entries in the order of their sequence. Filters read it from its end, until they have found enough. */
export function createAuditLog({ audit }: Tables): Sync<AuditLog> {
  const head = (): AuditHead | null => {
    for (const { sequence, hash } of audit.scan({ backwards: true })) return { sequence, hash };
    return null;
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
      for (const entry of entries) audit.put(entry);
      return { outcome: 'appended' };
    },
    head,
    list: (query) =>
      audit
        .scan({ backwards: true })
        .filter((entry) => isListedEntry(entry, query))
        .take(query.limit)
        .toArray(),
    read: (after, limit) =>
      audit
        .scan({ from: [after] })
        .filter(({ sequence }) => sequence > after)
        .take(limit)
        .toArray(),
  };
}

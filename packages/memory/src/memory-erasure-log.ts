import type { ErasureLog, ErasureLogEntry } from '@countersign/domain/retention';

/**
 * Creates an erasure log in memory, for tests and trials. Entries are copied on their way in and out.
 *
 * @example
 * const log = createMemoryErasureLog();
 * await log.append({ clientId: 'client-1', verificationId: 'verification-1', at: new Date() });
 * await log.head(); // 1
 */
export function createMemoryErasureLog(): ErasureLog {
  const entries: ErasureLogEntry[] = [];
  let logId: string | null = null;
  const copyOf = ({ number, clientId, verificationId, at }: ErasureLogEntry): ErasureLogEntry => ({
    number,
    clientId,
    verificationId,
    at: new Date(at),
  });
  return {
    id: async () => logId,
    async identify(id) {
      logId ??= id;
      return logId;
    },
    async append(entry) {
      const numbered = copyOf({ ...entry, number: entries.length + 1 });
      entries.push(numbered);
      return copyOf(numbered);
    },
    async put(entry) {
      const last = entries.length;
      if (entry.number > last + 1) throw new Error(`Entry ${entry.number} would leave a gap after ${last}.`);
      const found = entries[entry.number - 1];
      if (found === undefined) entries.push(copyOf(entry));
      else if (!isSame(found, entry)) throw new Error(`Entry ${entry.number} of the log is another one.`);
    },
    read: async (after, limit) => entries.slice(after, after + limit).map(copyOf),
    head: async () => entries.length,
    probe: async () => undefined,
  };
}

function isSame(one: ErasureLogEntry, other: ErasureLogEntry): boolean {
  return (
    one.clientId === other.clientId &&
    one.verificationId === other.verificationId &&
    one.at.getTime() === other.at.getTime()
  );
}

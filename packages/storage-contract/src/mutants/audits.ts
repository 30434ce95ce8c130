import type { AuditEntry, AuditLog, AuditQuery, Storage } from '@countersign/domain';
import { type Mutant, patched } from './mutant.ts';

type Append = AuditLog['append'];

/** More lines than any case has. */
export const ALL_LINES = 1_000;

/** A storage that appends in a way of its own, with the sound way at hand. */
export function appending(
  storage: Storage,
  append: (next: Append, entry: AuditEntry) => ReturnType<Append>,
): Storage {
  return patched(storage, { audit: { append: (entry) => append(storage.audit.append, entry) } });
}

/** A mutant that keeps something else than it was given. */
export const keepingLines =
  (keep: (entry: AuditEntry) => Partial<AuditEntry>): Mutant['breakIn'] =>
  (storage) =>
    appending(storage, (next, entry) => next({ ...entry, ...keep(entry) }));

/** A mutant that asks for another list than it was asked for. */
export const askingForLines =
  (change: (query: AuditQuery) => Partial<AuditQuery>): Mutant['breakIn'] =>
  ({ audit, ...storage }) =>
    patched({ audit, ...storage }, { audit: { list: (query) => audit.list({ ...query, ...change(query) }) } });

/** A mutant that chooses among all lines, the newest first, in a way of its own. */
export const choosingLines =
  (choose: (lines: readonly AuditEntry[], query: AuditQuery) => readonly AuditEntry[]): Mutant['breakIn'] =>
  ({ audit, ...storage }) => {
    const everything = { actorId: undefined, clientId: undefined, action: undefined, outcome: undefined };
    return patched(
      { audit, ...storage },
      {
        audit: {
          list: async (query) =>
            choose(await audit.list({ ...everything, before: undefined, limit: ALL_LINES }), query),
        },
      },
    );
  };

/** A mutant that reads the chain in a way of its own. */
export const readingLines =
  (
    read: (next: AuditLog['read'], after: number, limit: number) => ReturnType<AuditLog['read']>,
  ): Mutant['breakIn'] =>
  (storage) =>
    patched(storage, { audit: { read: (after, limit) => read(storage.audit.read, after, limit) } });

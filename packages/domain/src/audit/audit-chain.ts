import { canonicalJson } from '../input/json.ts';
import type { Secrets } from '../runtime.ts';
import type { AuditEntry, AuditFact } from './audit-entry.ts';
import { type AuditHead, NO_PREVIOUS_HASH } from './audit-log.ts';

/** Makes the entry that follows `head`; the first entry if `head` is null. */
export function entryAfter(
  head: AuditHead | null,
  fact: AuditFact,
  { sha256 }: Pick<Secrets, 'sha256'>,
): AuditEntry {
  const entry = { ...fact, sequence: (head?.sequence ?? 0) + 1, previousHash: head?.hash ?? NO_PREVIOUS_HASH };
  return { ...entry, hash: hashOf(entry, { sha256 }) };
}

/**
 * Computes the SHA-256 of an entry's canonical JSON: every field but `hash`, the keys of all objects sorted by UTF-16 code
 * unit, no spaces, `at` as ISO 8601 in UTC with milliseconds. It does not depend on how a database stores the fields.
 */
export function hashOf(entry: Omit<AuditEntry, 'hash'>, { sha256 }: Pick<Secrets, 'sha256'>): string {
  const { sequence, previousHash, at, actor, from, action, outcome, clientId, targetId, detail } = entry;
  return sha256(
    canonicalJson({
      sequence,
      previousHash,
      at: at.toISOString(),
      actor: { kind: actor.kind, id: actor.id },
      from,
      action,
      outcome,
      clientId,
      targetId,
      detail,
    }),
  );
}

import { entryAfter } from '../src/audit/audit-chain.ts';
import type { AuditEntry, AuditFact } from '../src/audit/audit-entry.ts';

/** Differs for texts that differ in one character. No hash that anyone should use. */
export const sha256 = (text: string): string => {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 4_294_967_291;
  return sum.toString(16).padStart(64, '0');
};

/** What an operator did, without its time. */
export const FACT: Omit<AuditFact, 'at'> = {
  actor: { kind: 'operator', id: null },
  from: null,
  action: 'clients.create',
  outcome: 'allowed',
  clientId: null,
  targetId: null,
  detail: {},
};

/** Creates the first entries of a log, each of which follows the one before it. */
export function givenEntries(count: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  for (let n = 1; n <= count; n += 1) {
    const fact = { ...FACT, at: new Date(n), detail: { n } };
    entries.push(entryAfter(entries.at(-1) ?? null, fact, { sha256 }));
  }
  return entries;
}

/** Changes entry `n` without its hash. */
export const changed = (entries: readonly AuditEntry[], n: number): readonly AuditEntry[] =>
  entries.map((entry) => (entry.sequence === n ? { ...entry, detail: { n: -n } } : entry));

/** Reads a log of these entries as `AuditLog.read` does. */
export const reading =
  (entries: readonly AuditEntry[]) =>
  async (after: number, limit: number): Promise<readonly AuditEntry[]> =>
    entries.filter(({ sequence }) => sequence > after).slice(0, limit);

import type { AuditEntry } from '@countersign/domain';
import type { AuditHead, AuditQuery, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { range } from './at-once.ts';
import { clientId, minute } from './ids.ts';

/** The hash of the `n`th entry. The first entry follows 64 zeros. */
export const lineHash = (n: number): string => Math.max(0, n).toString(16).padStart(64, '0');

/** The `n`th entry of a chain. */
export function aLine(n: number, given: Partial<AuditEntry> = {}): AuditEntry {
  return {
    sequence: n,
    previousHash: lineHash(n - 1),
    hash: lineHash(n),
    at: minute(n),
    actor: { kind: 'operator', id: 'operator-1' },
    from: '192.0.2.1',
    action: 'clients.change_subscription',
    outcome: 'allowed',
    clientId: clientId(1),
    targetId: null,
    detail: {},
    ...given,
  };
}

/** The head of a log whose last entry is the `n`th. */
export function headAt(n: number): AuditHead {
  return { sequence: n, hash: lineHash(n) };
}

/** Appends the next entry. */
export async function givenLine(storage: Storage, line: AuditEntry): Promise<AuditEntry> {
  expect(await storage.audit.append(line), 'set-up of the case: audit.append').toEqual({ outcome: 'appended' });
  return line;
}

/** Appends entries 1 to `count`, each with the fields that `given` returns for it. */
export async function givenLines(
  storage: Storage,
  count: number,
  given: (n: number) => Partial<AuditEntry> = () => ({}),
): Promise<AuditEntry[]> {
  const lines = range(1, count).map((n) => aLine(n, given(n)));
  for (const line of lines) await givenLine(storage, line);
  return lines;
}

/** A query for the newest entries by default. */
export function anAuditQuery(given: Partial<AuditQuery> = {}): AuditQuery {
  return {
    actorId: undefined,
    clientId: undefined,
    action: undefined,
    outcome: undefined,
    appendedFrom: undefined,
    appendedUntil: undefined,
    before: undefined,
    limit: 100,
    ...given,
  };
}

/** Sequences of the listed entries. */
export async function linesListed(storage: Storage, given: Partial<AuditQuery> = {}): Promise<number[]> {
  return (await storage.audit.list(anAuditQuery(given))).map(({ sequence }) => sequence);
}

/** Sequences of the read entries. */
export async function linesRead(storage: Storage, after: number, limit: number): Promise<number[]> {
  return (await storage.audit.read(after, limit)).map(({ sequence }) => sequence);
}

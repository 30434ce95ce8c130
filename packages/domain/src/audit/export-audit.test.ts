import { expect, test } from 'vitest';
import { changed, givenEntries, reading, sha256 } from '../../test-support/audit-chain.ts';
import type { AuditEntry } from './audit-entry.ts';
import { createExportAudit, type ExportedTo } from './export-audit.ts';

const ENTRIES = givenEntries(150);
const hashAt = (n: number): string => ENTRIES[n - 1]?.hash ?? '';
const headAt = (n: number) => ({ sequence: n, hash: hashAt(n) });

/** Returns the first and the last sequence of each batch, and the end. */
async function exported(entries: readonly AuditEntry[], after: ExportedTo | undefined) {
  const batches: string[] = [];
  const run = createExportAudit({ audit: { read: reading(entries) }, secrets: { sha256 } })({ after });
  for (;;) {
    const { done, value } = await run.next();
    if (done) return { batches, end: value };
    batches.push(`${value[0]?.sequence}–${value.at(-1)?.sequence}`);
  }
}

test.each<
  [what: string, entries: readonly AuditEntry[], after: ExportedTo | undefined, batches: string[], end: object]
>([
  ['exports a whole log', ENTRIES, undefined, ['1–100', '101–150'], { outcome: 'complete', head: headAt(150) }],
  ['exports no entry of an empty log', [], undefined, [], { outcome: 'complete', head: null }],
  [
    'begins with the first entry after 0',
    ENTRIES,
    { sequence: 0 },
    ['1–100', '101–150'],
    { outcome: 'complete', head: headAt(150) },
  ],
  [
    'continues after a number',
    ENTRIES,
    { sequence: 100 },
    ['101–150'],
    { outcome: 'complete', head: headAt(150) },
  ],
  [
    'continues after a number and its hash',
    ENTRIES,
    headAt(100),
    ['101–150'],
    { outcome: 'complete', head: headAt(150) },
  ],
  ['exports no entry after the last', ENTRIES, headAt(150), [], { outcome: 'complete', head: headAt(150) }],
  [
    'ends before a changed entry',
    changed(ENTRIES, 120),
    undefined,
    ['1–100', '101–119'],
    { outcome: 'broken', sequence: 120, reason: 'wrong_hash' },
  ],
  [
    'ends after a whole batch before a changed entry',
    changed(ENTRIES, 101),
    undefined,
    ['1–100'],
    { outcome: 'broken', sequence: 101, reason: 'wrong_hash' },
  ],
  [
    'compares the first entry with the one before it',
    changed(ENTRIES, 101),
    { sequence: 100 },
    [],
    { outcome: 'broken', sequence: 101, reason: 'wrong_hash' },
  ],
])('exportAudit: %s', async (_what, entries, after, batches, end) => {
  expect(await exported(entries, after)).toEqual({ batches, end });
});

test.each<[what: string, entries: readonly AuditEntry[], after: ExportedTo]>([
  ['another hash', ENTRIES, { sequence: 100, hash: hashAt(99) }],
  ['a number after the last entry', ENTRIES, { sequence: 151 }],
  ['a number and a hash after the last entry', ENTRIES, { sequence: 151, hash: hashAt(150) }],
  ['an entry that is missing', ENTRIES.toSpliced(99, 1), { sequence: 100 }],
])('exportAudit: exports nothing after %s', async (_what, entries, after) => {
  expect(await exported(entries, after)).toEqual({ batches: [], end: { outcome: 'not_continued', after } });
});

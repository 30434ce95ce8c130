import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ErasureLogEntry } from '@countersign/domain/retention';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { onTestFinished } from 'vitest';
import { contentOf, pathOf } from '../src/erasure-log/entry-file.ts';

export const AT: Date = new Date('2026-11-23T01:02:03.004Z');

/** Makes an erasure whose ids contain `n`. */
export function erasureOf(n: number | string): Omit<ErasureLogEntry, 'number'> {
  return { clientId: 'client-1', verificationId: `verification-${n}`, at: AT };
}

/** Returns the path of an erasure log that does not exist yet. */
export function erasureLogFolder(): string {
  return join(temporaryDirectory(onTestFinished), 'erasures');
}

/** Writes entries 1 to `count` as the log does, but without waiting for the disk. */
export function writeEntries(directory: string, count: number): void {
  for (let number = 1; number <= count; number += 1) {
    const file = join(directory, pathOf(number));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contentOf({ number, ...erasureOf(number) }));
  }
}

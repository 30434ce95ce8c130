import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditFindings } from '@countersign/domain';
import { z } from 'zod';
import { isSystemError } from '../config/errors.ts';
import { writeWhole } from '../files.ts';

/** A comparison of the audit log with a head that was noted elsewhere. */
export interface NotedCheck {
  /** Moment in ISO 8601. */
  readonly at: string;
  /** Number of the entry that was noted. */
  readonly noted: number;
  readonly outcome: AuditFindings['outcome'];
}

const schema: z.ZodType<NotedCheck> = z.object({
  at: z.iso.datetime(),
  noted: z.int().positive(),
  outcome: z.enum(['intact', 'broken', 'erasure_broken', 'not_the_noted_one']),
});

const fileIn = (dataDir: string): string => join(dataDir, 'audit-verified.json');

/**
 * Notes a comparison for `doctor`, in the data directory. The note is not in the database: an attacker who rewrites its audit log could change it, too.
 * @returns false if the directory is missing or cannot be written
 */
export async function writeNotedCheck(dataDir: string, check: NotedCheck): Promise<boolean> {
  try {
    await writeWhole(fileIn(dataDir), `${JSON.stringify(check)}\n`);
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** Reads the last comparison; null if there is none, or if its file is not whole. */
export async function readNotedCheck(dataDir: string): Promise<NotedCheck | null> {
  try {
    const parsed = schema.safeParse(JSON.parse(await readFile(fileIn(dataDir), 'utf8')));
    return parsed.data ?? null;
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}

import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { makeFolders } from '@countersign/evidence';
import { z } from 'zod';
import { BackupError } from '../database/backup-error.ts';
import { restoredMarkOf } from '../database/restored-mark.ts';
import { exists, removeAll, renameDurably, writeWhole } from '../files.ts';

// Replaces files by renaming, so that a process killed at any point can be followed by another one that finishes. The
// mark lists every move. In phase `aside`, all present files are moved aside; in phase `in`, all new ones are moved in.

/** Replaces files: present ones are moved aside, then staged ones are moved in. */
export interface Swap {
  /** Id of the backup that is restored. */
  readonly backup: string;
  readonly moves: readonly {
    readonly place: string;
    /** Where the present file goes. */
    readonly aside: string;
    /** Where the new file waits. Null: the place stays empty. */
    readonly staged: string | null;
  }[];
  /** Folders that are empty or of no use afterwards. */
  readonly leftovers: readonly string[];
}

interface MarkedSwap extends Swap {
  readonly phase: 'aside' | 'in';
}

const markSchema: z.ZodType<MarkedSwap> = z.strictObject({
  backup: z.string(),
  phase: z.enum(['aside', 'in']),
  moves: z.array(z.strictObject({ place: z.string(), aside: z.string(), staged: z.string().nullable() })),
  leftovers: z.array(z.string()),
});

/** Replaces the files. From the first change to the end, `markFile` marks the swap as unfinished. */
export async function swap(markFile: string, swapped: Swap): Promise<void> {
  await writeMark(markFile, { ...swapped, phase: 'aside' });
  await finishSwap(markFile);
}

/**
 * Finishes a swap that was interrupted. At its end, it marks that the database is a restored one (`restoredMarkOf`).
 * @returns the swap, or undefined if none is unfinished
 * @throws BackupError if the mark is damaged
 */
export async function finishSwap(markFile: string): Promise<Swap | undefined> {
  if (!(await exists(markFile))) return undefined;
  const marked = parseMark(markFile, await readFile(markFile, 'utf8'));
  if (marked.phase === 'aside') {
    for (const { place, aside } of marked.moves) await move(place, aside);
    await writeMark(markFile, { ...marked, phase: 'in' });
  }
  for (const { place, staged } of marked.moves) if (staged !== null) await move(staged, place);
  for (const leftover of marked.leftovers) await removeAll(leftover);
  await writeWhole(restoredMarkOf(markFile), `${marked.backup}\n`);
  await removeAll(markFile);
  return marked;
}

/** Does nothing if an earlier process moved it. */
async function move(from: string, to: string): Promise<void> {
  if (!(await exists(from))) return;
  await makeFolders(dirname(to));
  await renameDurably(from, to);
}

function writeMark(markFile: string, marked: MarkedSwap): Promise<void> {
  return writeWhole(markFile, JSON.stringify(withPaths(marked, (path) => relative(dirname(markFile), path))));
}

/** The mark names places from its own folder: another machine may have mounted it elsewhere. */
function withPaths(marked: MarkedSwap, change: (path: string) => string): MarkedSwap {
  return {
    ...marked,
    moves: marked.moves.map(({ place, aside, staged }) => ({
      place: change(place),
      aside: change(aside),
      staged: staged === null ? null : change(staged),
    })),
    leftovers: marked.leftovers.map(change),
  };
}

function parseMark(markFile: string, text: string): MarkedSwap {
  try {
    return withPaths(markSchema.parse(JSON.parse(text)), (path) => resolve(dirname(markFile), path));
  } catch (cause) {
    // Not JSON, or of another version.
    throw new BackupError(`${markFile} marks an unfinished restore, but cannot be read`, { cause });
  }
}

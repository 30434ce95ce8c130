import type { FilePart } from '../evidence/evidence-keeper.ts';
import { type ExportedFile, exportedPath } from './exported-file.ts';

/** A file to put into a zip. */
export interface ArchiveEntry {
  /** Path in the zip, with `/` between folders. Unique. */
  readonly name: string;
  readonly content: Uint8Array | string;
  readonly lastModified: Date;
}

/** Name of an export's data for other programs. */
export const DATA_FILE = 'data.json';

/** Name of the text that says which files an export lacks: people see it beside the files. */
export const INCOMPLETE_FILE = 'INCOMPLETE.txt';

/** The version of the shape of `data.json`. It grows when a name or a meaning changes, not when a name is added. */
const FORMAT_VERSION = 1;

/** What an export consists of. */
export interface Archive {
  readonly exportedAt: Date;
  readonly files: readonly ExportedFile[];
  /** Reads a file; null if it cannot be read. */
  readonly readFile: (fileId: string) => Promise<Pick<FilePart, 'content'> | null>;
  /** Writes the texts, by name, once the files that cannot be read are known. */
  readonly texts: (
    unreadable: readonly ExportedFile[],
  ) => Promise<readonly (readonly [name: string, content: string])[]>;
  /** Requires that the data may still be handed out. */
  readonly requireStill: () => Promise<void>;
}

/**
 * Yields what goes into the zip of an export: each file that can be read, when it is asked for, so that one at a time is in memory;
 * then the texts. Before each text and at the end it requires that the data may still be handed out. `readFile` does so itself.
 */
export async function* archiveEntries(archive: Archive): AsyncGenerator<ArchiveEntry> {
  const { exportedAt: lastModified, files, readFile, texts, requireStill } = archive;
  const unreadable: ExportedFile[] = [];
  for (const file of files) {
    const part = await readFile(file.id);
    if (part === null) unreadable.push(file);
    else yield { name: exportedPath(file), content: part.content, lastModified: new Date(file.uploadedAt) };
  }
  for (const [name, content] of await texts(unreadable)) {
    await requireStill();
    yield { name, content, lastModified };
  }
  // The directory of the zip follows.
  await requireStill();
}

/**
 * Writes the data of an export as JSON, for other programs. Times are ISO 8601 in UTC.
 *
 * @param unreadable files of the data that are not beside it
 */
export function dataFile(
  { files, ...data }: { readonly files: readonly ExportedFile[] },
  unreadable: readonly ExportedFile[],
): string {
  const present = files.filter((file) => !unreadable.includes(file));
  const written = {
    formatVersion: FORMAT_VERSION,
    ...data,
    files: present.map(({ name, ...file }) => ({ path: exportedPath({ name }), ...file })),
    unreadableFiles: unreadable.map(({ name: _, ...file }) => file),
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

/** Writes which files an export lacks, for people. */
export function incompleteFile(unreadable: readonly Pick<ExportedFile, 'id' | 'name'>[]): string {
  return [
    'This export is incomplete. The stored content of these files is missing or damaged:',
    '',
    ...unreadable.map(({ name, id }) => `- ${name} (${id})`),
    '',
    'Ask the operator of the service to restore them from a backup, then export again.',
    '',
  ].join('\n');
}

/**
 * Passes entries on to the program that writes the zip.
 * @throws Error for a name that leads out of the folder that the zip is unpacked to, that some operating system cannot store, or that
 *   occurs twice
 */
export async function* safeEntries(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<ArchiveEntry> {
  const seen = new Set<string>();
  for await (const entry of entries) {
    // Programs that unpack on Windows and macOS take names that differ by case for the same file.
    const key = entry.name.toLowerCase();
    if (!isSafeName(entry.name) || seen.has(key)) throw new Error('A name in a zip is unsafe or not unique');
    seen.add(key);
    yield entry;
  }
}

/** Whether a path stays below the folder that a zip is unpacked to, and every operating system can store it. */
function isSafeName(name: string): boolean {
  return name.split('/').every((part) => /^\w[\w-]*(\.[\w-]+)*$/.test(part));
}

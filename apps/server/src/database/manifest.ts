import { z } from 'zod';
import { parseJson } from '../files.ts';
import { BackupError } from './backup-error.ts';

// The files of a backup: `manifest.json`, the database, `evidence/` and, written last, `SHA256SUMS`.

export const MANIFEST = 'manifest.json';
export const EVIDENCE = 'evidence';
export const SQLITE_FILE = 'countersign.db';
export const DUMP_FILE = 'countersign.dump';

const FORMAT = 1;

/** The database of a backup. */
export type ManifestDatabase =
  | {
      readonly kind: 'sqlite';
      readonly file: typeof SQLITE_FILE;
      readonly migrations: readonly string[];
      /** Rows by table. */
      readonly rows: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'postgres';
      /** Null when the database is backed up by other means. */
      readonly file: typeof DUMP_FILE | null;
      readonly migrations: readonly string[];
    };

/** What a backup contains. */
export interface Manifest {
  readonly format: typeof FORMAT;
  /** Identifies the backup. */
  readonly id: string;
  /** Version of Countersign that made it. */
  readonly version: string;
  /** The database is of a moment between these two. Every file that it names is in the backup. ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly database: ManifestDatabase;
  readonly secrets: {
    /** Names of the keys that wrap data keys of the database: without all of them, some data stays sealed. */
    readonly inUse: readonly string[];
    /** Names of all keys of the ring, newest first. Null where the backup was made without the secrets. */
    readonly ring: readonly string[] | null;
  };
  readonly evidence: { readonly files: number; readonly bytes: number };
}

const count = z.int().nonnegative();
const names = z.array(z.string().max(64));
const migrations = z.array(z.string());

const manifestSchema: z.ZodType<Manifest> = z.strictObject({
  format: z.literal(FORMAT),
  id: z.uuid(),
  version: z.string().max(64),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  database: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('sqlite'),
      file: z.literal(SQLITE_FILE),
      migrations,
      rows: z.record(z.string(), count),
    }),
    z.strictObject({ kind: z.literal('postgres'), file: z.literal(DUMP_FILE).nullable(), migrations }),
  ]),
  secrets: z.strictObject({ inUse: names, ring: names.nullable() }),
  evidence: z.strictObject({ files: count, bytes: count }),
});

/** The format of the manifests that this version writes. */
export const MANIFEST_FORMAT: Manifest['format'] = FORMAT;

/** Says that only a newer version of Countersign can restore a backup. */
export function newerVersionText({ version }: Pick<Manifest, 'version'>): string {
  return `The backup was made by Countersign ${version}, which is newer than this version: restore it with Countersign ${version}`;
}

/** @throws BackupError */
export function parseManifest(text: string): Manifest {
  const value = parseJson(text);
  const newer = z.object({ format: z.int().min(FORMAT + 1), version: z.string().catch('?') }).safeParse(value);
  if (newer.success) throw new BackupError(newerVersionText(newer.data));
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BackupError(`The backup's ${MANIFEST} is not valid: ${issue?.path.join('.')} ${issue?.message}`);
}

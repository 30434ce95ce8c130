import { statSync } from 'node:fs';
import type { AccountsDatabase } from '@countersign/accounts';
import type { TransferSource, TransferTarget } from '@countersign/domain/storage';
import type { PostgresSettings, SqliteSettings } from '../config/database-settings.ts';
import { databaseFileOf } from '../config/file-urls.ts';
import { checkedPostgresUrl, isPostgresUrl, placeOf } from '../config/server-urls.ts';

/** A database to copy from or to. `place` may be printed: it holds no password. */
export type CopyPlace =
  | { readonly kind: 'sqlite'; readonly file: string; readonly place: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly place: string };

/** Returns where the accounts of a place are. */
export async function accountsAt(place: CopyPlace): Promise<AccountsDatabase> {
  if (place.kind === 'sqlite') return { kind: 'sqlite', file: place.file };
  const { connectPostgres } = await import('@countersign/storage-postgres');
  return { kind: 'postgres', connections: connectPostgres({ url: place.url }) };
}

interface Closable {
  close(): Promise<void>;
}

/** Parses the value of an option. @throws SettingError, which does not quote the value */
export function copyPlaceOf(option: string, url: string): CopyPlace {
  if (isPostgresUrl(url)) {
    return { kind: 'postgres', url: checkedPostgresUrl(option, url), place: placeOf(url) };
  }
  const file = databaseFileOf(option, url);
  return { kind: 'sqlite', file, place: file };
}

/** Returns the database of the settings, which a command line need not name: other users of the machine see its passwords. */
export function copyPlaceOfSettings(database: SqliteSettings | PostgresSettings): CopyPlace {
  if (database.kind === 'sqlite') return { kind: 'sqlite', file: database.file, place: database.file };
  // A copy locks and migrates, which not every pooler allows.
  const url = database.directUrl ?? database.url;
  return { kind: 'postgres', url, place: placeOf(url) };
}

/** Returns whether both are the same database, judged by names and the file system. */
export function isSamePlace(a: CopyPlace, b: CopyPlace): boolean {
  if (a.kind === 'sqlite' && b.kind === 'sqlite') return identityOf(a.file) === identityOf(b.file);
  return a.kind === b.kind && a.place === b.place;
}

/** @throws SqliteOpenError, PostgresOpenError */
export async function openCopySource(from: CopyPlace): Promise<TransferSource & Closable> {
  if (from.kind === 'sqlite') {
    const { createSqliteTransferSource } = await import('@countersign/storage-sqlite');
    return createSqliteTransferSource({ file: from.file });
  }
  const { createPostgresTransferSource } = await import('@countersign/storage-postgres');
  return createPostgresTransferSource({ url: from.url });
}

/** @throws SqliteOpenError, PostgresOpenError */
export async function openCopyTarget(to: CopyPlace): Promise<TransferTarget & Closable> {
  if (to.kind === 'sqlite') {
    const { createSqliteTransferTarget } = await import('@countersign/storage-sqlite');
    return createSqliteTransferTarget({ file: to.file });
  }
  const { createPostgresTransferTarget } = await import('@countersign/storage-postgres');
  return createPostgresTransferTarget({ url: to.url });
}

/** Identifies a file by its inode, which is the same for every link to it. */
function identityOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? file : `${stat.dev}:${stat.ino}`;
}

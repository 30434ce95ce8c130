import { statSync } from 'node:fs';
import type { TransferSource, TransferTarget } from '@countersign/domain';
import { databaseFileOf, isPostgresUrl } from '../config/file-urls.ts';
import { checkedPostgresUrl, placeOf } from '../config/server-urls.ts';

/** A database that is copied from or into. */
export type CopyPlace =
  | { readonly kind: 'sqlite'; readonly file: string /** What may be told of it. */; readonly place: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly place: string };

interface Closable {
  close(): Promise<void>;
}

/** @throws SettingError that names the option and quotes nothing */
export function copyPlaceOf(option: string, url: string): CopyPlace {
  if (isPostgresUrl(url)) {
    return { kind: 'postgres', url: checkedPostgresUrl(option, url), place: placeOf(url) };
  }
  const file = databaseFileOf(option, url);
  return { kind: 'sqlite', file, place: file };
}

/** Whether both are the same database, as far as their names and the file system tell. */
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

/** A file is the same under every link to it. */
function identityOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? file : `${stat.dev}:${stat.ino}`;
}

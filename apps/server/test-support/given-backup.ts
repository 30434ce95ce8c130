import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFileEvidenceStore } from '@countersign/evidence';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect } from 'vitest';
import { newOperator, type Operator } from './operator.ts';
import { givenSealedVerifications } from './sealed-verifications.ts';

export const SECRET = Buffer.alloc(32, 1);
export const SECRET_KEYS = SECRET.toString('base64url');
export const OTHER = Buffer.alloc(32, 2).toString('base64url');
export const FILE = { verificationId: '0198c0de-0000-7000-8000-000000000000', fileId: 'file-1' };

/** Makes an operator with these secrets. */
export function operatorWith(
  secretKeys: string = SECRET_KEYS,
  environment: Record<string, string> = {},
): Operator {
  return newOperator({ SECRET_KEYS: secretKeys, ...environment });
}

/** Makes an installation with two sealed verifications and three files, and names the folder for its backup. */
export async function given() {
  const operator = operatorWith();
  const { id: clientId } = await operator.newClient();
  const database = join(operator.dataDir, 'countersign.db');
  const storage = await createSqliteStorage({ file: database });
  await givenSealedVerifications(storage, { clientId, count: 2, secretKeys: [SECRET] });
  await storage.close();
  const store = createFileEvidenceStore({ directory: join(operator.dataDir, 'evidence') });
  for (const fileId of ['file-1', 'file-2', 'file-3'])
    await store.put({ ...FILE, clientId, fileId }, randomBytes(5_000));
  const folder = join(temporaryFolder(), 'backup');
  return { operator, clientId, database, folder, store };
}

/** Runs a command that must succeed, and returns what it prints as JSON. Its progress is on standard error. */
export async function jsonOf<T>(operator: Operator, command: string): Promise<T> {
  const { exitCode, out, err } = await operator.run(command, '--json');
  if (exitCode !== 0) throw new Error(err);
  return JSON.parse(out) as T;
}

/** Makes the installation of `given`, and its backup in the folder. */
export async function givenBackup() {
  const installation = await given();
  expect(await installation.operator.run(`backup ${installation.folder}`)).toMatchObject({ exitCode: 0 });
  return installation;
}

/** Lists the files below a folder with their contents. */
export function contentsBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name).slice(folder.length),
      readFileSync(join(parentPath, name), 'base64'),
    ]),
  );
}

/** Lists the evidence files with their contents, without the hidden files that programs write beside them. */
export const evidenceIn = ({ dataDir }: Operator) =>
  Object.fromEntries(
    Object.entries(contentsBelow(join(dataDir, 'evidence'))).filter(([path]) => !path.startsWith('/.')),
  );

/** Makes a database look as if a later version had migrated it. */
export const INSERT_LATER =
  "INSERT INTO countersign_migrations (hash, created_at) VALUES ('later', 9999999999999)";

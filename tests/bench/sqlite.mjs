// Benchmarks the server on embedded SQLite against minimal programs that do the same work on the same data.
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, fill } from './compare.mjs';
import { createKeysInSqlite } from './create-clients.mjs';
import { startLoader } from './load/loader.mjs';
import { startReference, startServer } from './programs.mjs';
import { rowsInSqlite } from './rows-of-creation.mjs';
import { workFolder } from './work-folder.mjs';

const program = fileURLToPath(new URL('./reference-sqlite/program.mjs', import.meta.url));

/**
 * @param {import('./extent.mjs').Extent} extent
 * @param {{ say: (line: string) => void }} options `say` reports progress
 */
export async function benchSqlite(extent, { say }) {
  const folder = workFolder();
  const [ofServer, grouped, each] = [databaseIn('server'), databaseIn('group'), databaseIn('each')];
  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: 'https://verify.example' };
  const logFile = join(folder, 'server.log');
  const loader = startLoader();

  say(`${extent.verifications} verifications of ${extent.clients} clients …`);
  const keys = await createKeysInSqlite(ofServer.file, extent.clients);
  const filling = await startServer({ database: ofServer, logFile, secrets });
  const created = await fill(loader, filling, { verifications: extent.verifications, keys });
  await filling.stop();
  // Closing the last connection merged the write-ahead log into the database file.
  copyFileSync(ofServer.file, grouped.file);
  copyFileSync(ofServer.file, each.file);

  const server = await startServer({ database: ofServer, logFile, secrets });
  const reference = await startReference({ args: [program, grouped.file, 'group'], database: grouped, secrets });
  const oneByOne = await startReference({
    name: 'one commit per request',
    args: [program, each.file, 'each'],
    database: each,
    secrets,
  });
  const figures = await compare(extent, { server, reference, oneByOne, loader, keys, created, say });
  for (const program of [server, reference, oneByOne, loader]) await program.stop();
  return figures;

  /** @param {string} name */
  function databaseIn(name) {
    const dataDir = join(folder, name);
    mkdirSync(dataDir);
    const file = join(dataDir, 'countersign.db');
    /** @param {string} subjectReference */
    const rowsOf = (subjectReference) => rowsInSqlite(file, subjectReference);
    return { file, env: { DATA_DIR: dataDir }, rowsOf };
  }
}

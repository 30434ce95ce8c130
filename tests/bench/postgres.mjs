// Benchmarks the server on Postgres against a minimal program that runs the same statements on the same data.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compare, fill } from './compare.mjs';
import { createKeysInPostgres } from './create-clients.mjs';
import { startLoader } from './load/loader.mjs';
import { startPostgres } from './postgres-server.mjs';
import { startReference, startServer } from './programs.mjs';
import { workFolder } from './work-folder.mjs';

const program = fileURLToPath(new URL('./reference-postgres/program.mjs', import.meta.url));

/**
 * @param {import('./extent.mjs').Extent} extent
 * @param {{ say: (line: string) => void }} options `say` reports progress
 */
export async function benchPostgres(extent, { say }) {
  const folder = workFolder();
  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: 'https://verify.example' };
  const logFile = join(folder, 'server.log');
  const loader = startLoader();
  const postgres = await startPostgres();

  say(`${extent.verifications} verifications of ${extent.clients} clients …`);
  const ofServer = await postgres.createDatabase();
  const keys = await createKeysInPostgres(ofServer.url, extent.clients);
  const filling = await startServer({ database: ofServer, logFile, secrets });
  const created = await fill(loader, filling, { verifications: extent.verifications, keys });
  await filling.stop();
  const copy = await postgres.createDatabase(ofServer.url);

  const server = await startServer({ database: ofServer, logFile, secrets });
  const reference = await startReference({ args: [program], database: copy, secrets });
  const figures = await compare(extent, { server, reference, loader, keys, created, say });
  for (const program of [server, reference, loader, postgres]) await program.stop();
  return figures;
}

// The server on embedded SQLite beside straight-line programs that do the same work on the same data.
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLoader } from './load/loader.mjs';
import { countersign, databaseFileIn, startReference, startServer } from './programs.mjs';
import { interleave, medianRatio, summary } from './rounds.mjs';
import { assertSameAnswers } from './same-answers.mjs';
import { residentMegabytes } from './usage.mjs';

/** @typedef {import('./programs.mjs').Program} Program */

/** On the disk of the checkout: a temporary folder may lie in memory, where commits cost nothing. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
/** More than any machine answers in a second, so that rounds end by time; requests are prepared beforehand. */
const MOST_PER_SECOND = 30_000;
const FILL_SECONDS = 120;
const MONTHLY_LIMIT = '2000000000';

/**
 * @param {import('./extent.mjs').Extent} extent
 * @param {{ say: (line: string) => void }} options told what is being done
 */
export async function benchSqlite(extent, { say }) {
  const folder = join(CACHE, `countersign-bench-${process.pid}`);
  const dirs = { server: join(folder, 'server'), group: join(folder, 'group'), each: join(folder, 'each') };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  for (const dir of Object.values(dirs)) mkdirSync(dir, { recursive: true });
  const secrets = { secret: randomBytes(32).toString('hex'), publicBaseUrl: 'https://verify.example' };
  const loader = startLoader();

  say(`${extent.verifications} verifications of ${extent.clients} clients …`);
  const keys = await createKeys(dirs.server, extent.clients);
  const filling = await startServer(dirs.server, secrets);
  const { created } = await loader.run({
    port: filling.port,
    connections: 64,
    seconds: FILL_SECONDS,
    requests: extent.verifications,
    keys,
    kind: { name: 'post', prefix: 'fill', collect: true },
  });
  await filling.stop();
  // The last connection has moved the write-ahead log into the database: the file is all there is.
  copyFileSync(databaseFileIn(dirs.server), databaseFileIn(dirs.group));
  copyFileSync(databaseFileIn(dirs.server), databaseFileIn(dirs.each));

  const server = await startServer(dirs.server, secrets);
  const reference = await startReference(dirs.group, 'group', secrets);
  const oneByOne = await startReference(dirs.each, 'each', secrets);
  say('comparing their answers and rows …');
  await assertSameAnswers(server, reference, { keys, created });

  let prefixes = 0;
  let answeredByServer = 0;
  /** @param {'get' | 'post'} name @param {number} seconds @returns {(program: Program) => ReturnType<typeof loader.run>} */
  const round = (name, seconds) => async (program) => {
    const result = await loader.run({
      port: program.port,
      connections: extent[name].atOnce,
      seconds,
      requests: Math.ceil(seconds * MOST_PER_SECOND),
      keys,
      kind:
        name === 'get'
          ? { name, targets: created }
          : { name, prefix: `${program.name}-${prefixes++}`, collect: false },
    });
    if (program === server) answeredByServer += result.requests;
    return result;
  };

  say('warming up …');
  await interleave([server, reference], 1, round('get', extent.warmUpSeconds));
  await interleave([server, reference, oneByOne], 1, round('post', extent.warmUpSeconds));

  say(`GET /verifications/{id}, ${extent.get.atOnce} at once …`);
  const gets = await interleave([server, reference], extent.get.rounds, round('get', extent.get.seconds));
  say(`POST /verifications, ${extent.post.atOnce} at once …`);
  const posts = await interleave(
    [server, reference, oneByOne],
    extent.post.rounds,
    round('post', extent.post.seconds),
  );

  say(`the server's memory after ${extent.requests} requests …`);
  while (answeredByServer < extent.requests) {
    await round('get', extent.get.seconds)(server);
    await round('post', extent.post.seconds)(server);
  }
  const memory = residentMegabytes(server.pid);
  const ofReference = residentMegabytes(reference.pid);

  for (const program of [server, reference, oneByOne, loader]) await program.stop();
  remove();
  return {
    get: { server: summary(gets.get(server)), reference: summary(gets.get(reference)) },
    post: {
      server: summary(posts.get(server)),
      reference: summary(posts.get(reference)),
      oneByOne: summary(posts.get(oneByOne)),
    },
    ratios: {
      get: medianRatio(gets.get(server), gets.get(reference)),
      post: medianRatio(posts.get(server), posts.get(reference)),
      postOneByOne: medianRatio(posts.get(server), posts.get(oneByOne)),
    },
    memory: memory && { ...memory, afterRequests: answeredByServer, ofReference: ofReference?.now ?? 0 },
  };
}

/**
 * A client and a key for each.
 * @param {string} dataDir
 * @param {number} clients
 */
async function createKeys(dataDir, clients) {
  const keys = [];
  for (let number = 1; number <= clients; number++) {
    const plan = ['--plan', 'enterprise', '--monthly-limit', MONTHLY_LIMIT];
    const client = await countersign(dataDir, 'client', 'create', '--name', `Bench ${number}`, ...plan);
    const { key } = await countersign(dataDir, 'key', 'create', '--client', client.id ?? '', '--permissions', '*');
    keys.push(key ?? '');
  }
  return keys;
}

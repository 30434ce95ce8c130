// Compares the server with reference programs on copies of its database: responses first, then speed.
import { interleave, medianRatio, summary } from './rounds.mjs';
import { assertSameAnswers } from './same-answers.mjs';
import { residentMegabytes } from './usage.mjs';

/**
 * @typedef {import('./programs.mjs').Program} Program
 * @typedef {ReturnType<typeof import('./load/loader.mjs').startLoader>} Loader
 * @typedef {readonly { id: string, key: number }[]} Created verifications, each with the number of its client's key
 * @typedef {Awaited<ReturnType<typeof compare>>} Figures
 */

/** More requests than any machine answers in a second, so that time ends a round, not the prepared requests. */
const MOST_PER_SECOND = 30_000;
const FILL_SECONDS = 120;

/**
 * Creates the verifications that later rounds read, through the server.
 * @param {Loader} loader
 * @param {{ port: number }} server
 * @param {{ verifications: number, keys: readonly string[] }} wanted
 * @returns {Promise<Created>}
 */
export async function fill(loader, { port }, { verifications, keys }) {
  const { created } = await loader.run({
    port,
    connections: 64,
    seconds: FILL_SECONDS,
    requests: verifications,
    keys,
    kind: { name: 'post', prefix: 'fill', collect: true },
  });
  return created;
}

/**
 * Measures the server and the references in turn.
 * @param {import('./extent.mjs').Extent} extent
 * @param {object} given
 * @param {Program} given.server
 * @param {Program} given.reference
 * @param {Program} [given.oneByOne] a reference that receives only creations
 * @param {Loader} given.loader
 * @param {readonly string[]} given.keys
 * @param {Created} given.created
 * @param {(line: string) => void} given.say reports progress
 */
export async function compare(extent, { server, reference, oneByOne, loader, keys, created, say }) {
  const readers = [server, reference];
  const writers = oneByOne === undefined ? readers : [...readers, oneByOne];
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
  await interleave(readers, 1, round('get', extent.warmUpSeconds));
  await interleave(writers, 1, round('post', extent.warmUpSeconds));

  say(`GET /verifications/{id}, ${extent.get.atOnce} at once …`);
  const gets = await interleave(readers, extent.get.rounds, round('get', extent.get.seconds));
  say(`POST /verifications, ${extent.post.atOnce} at once …`);
  const posts = await interleave(writers, extent.post.rounds, round('post', extent.post.seconds));

  say(`the server's memory after ${extent.requests} requests …`);
  while (answeredByServer < extent.requests) {
    await round('get', extent.get.seconds)(server);
    await round('post', extent.post.seconds)(server);
  }
  const memory = residentMegabytes(server.pid);
  const ofReference = residentMegabytes(reference.pid);

  return {
    get: { server: summary(gets.get(server)), reference: summary(gets.get(reference)) },
    post: { server: summary(posts.get(server)), reference: summary(posts.get(reference)) },
    ratios: {
      get: medianRatio(gets.get(server), gets.get(reference)),
      post: medianRatio(posts.get(server), posts.get(reference)),
    },
    oneByOne: oneByOne && {
      ...summary(posts.get(oneByOne)),
      ratio: medianRatio(posts.get(server), posts.get(oneByOne)),
    },
    memory: memory && { ...memory, afterRequests: answeredByServer, ofReference: ofReference?.now ?? 0 },
  };
}

// Two servers migrate one Postgres of each earlier version.
import { operate } from '@countersign/test-support/installation/operator';
import { rowsIn } from '@countersign/test-support/installation/rows-in';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { describeWith, startPostgres } from '@countersign/test-support/servers';
import { expect, it } from 'vitest';
import { keptVersions, readKept } from './kept-installation.ts';
import { placeOf } from './kept-place.ts';

const TABLES = {
  clients: 'id, name, test_of',
  subscriptions: 'client_id, plan',
  api_keys: 'id, client_id',
  staff_users: 'id, client_id, team_role',
} as const;

type Rows = Record<keyof typeof TABLES, readonly Record<string, unknown>[]>;

describeWith(['postgres'], 'two servers that start at once', () => {
  it.each(keptVersions())(
    'two servers that start at once on a database of %s make each test twin once, and a restart changes nothing',
    async (version) => {
      const postgres = await startPostgres({ fsync: false });
      const kept = readKept(version, 'postgres');
      const place = await placeOf(version, 'postgres', postgres);
      const env = { ...place, SECRET_KEYS: kept.secretKeys };
      const start = () => startServer({ dataDir: place.DATA_DIR, env });

      const servers = await Promise.all([start(), start()]);
      const made = await Promise.all(servers.map((server) => twinsOf(server, kept.clientId)));

      expect(new Set(made.flat())).toHaveLength(1);
      const upgraded = await readRows(servers[0]);
      const { clients } = upgraded;
      const lives = clients.filter(({ test_of }) => test_of === null).map(({ id }) => id);
      const ofTwins = clients.flatMap(({ test_of }) => (test_of === null ? [] : [test_of]));
      expect(ofTwins.toSorted()).toEqual(lives.toSorted());
      await Promise.all(servers.map((server) => server.stop()));

      const again = await Promise.all([start(), start()]);
      expect(new Set((await Promise.all(again.map((server) => twinsOf(server, kept.clientId)))).flat())).toEqual(
        new Set(made.flat()),
      );
      expect(await readRows(again[0])).toEqual(upgraded);
      await Promise.all(again.map((server) => server.stop()));
      await postgres.stop();
    },
  );
});

/** Asks ten times at once for the test twin of a client. Returns the ids. */
function twinsOf(server: ServerProcess, clientId: string): Promise<readonly string[]> {
  return operate(server, ({ clients }) =>
    Promise.all(Array.from({ length: 10 }, async () => (await clients.testTwin(clientId)).id)),
  );
}

async function readRows(server: ServerProcess): Promise<Rows> {
  const read = async (table: keyof typeof TABLES) => {
    const columns = TABLES[table];
    return [table, await rowsIn(server, `SELECT ${columns} FROM ${table} ORDER BY ${columns}`)] as const;
  };
  const tables = Object.keys(TABLES) as (keyof typeof TABLES)[];
  return Object.fromEntries(await Promise.all(tables.map(read))) as Rows;
}

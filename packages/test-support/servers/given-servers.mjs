// Starts each server, prints their process ids and the URL of a database, and waits until it is killed.
import { startPgBouncer, startPostgres, startRedis } from './index.ts';

const postgres = await startPostgres({ own: true, fsync: false });
const url = await postgres.createDatabase();
const pgbouncer = await startPgBouncer(url);
const redis = await startRedis({ own: true });
process.stdout.write(`${JSON.stringify({ pids: [postgres.pid, pgbouncer.pid, redis.pid], url })}\n`);
setInterval(() => undefined, 60_000);

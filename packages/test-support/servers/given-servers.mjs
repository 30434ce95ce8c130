// Starts each server, prints their process ids and waits until it is killed.
import { startPgBouncer, startPostgres, startRedis } from './index.ts';

const postgres = await startPostgres({ own: true });
const pgbouncer = await startPgBouncer(await postgres.createDatabase());
const redis = await startRedis({ own: true });
process.stdout.write(`${JSON.stringify([postgres.pid, pgbouncer.pid, redis.pid])}\n`);
setInterval(() => undefined, 60_000);

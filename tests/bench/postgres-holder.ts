// Holds a Postgres for the benchmark: makes a database for each message, until whoever sends them is gone. A process
// of its own, because older versions of Node run TypeScript only when they are told to.
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { startPostgres } from '@countersign/test-support/servers/postgres-server';

/** In memory a commit would cost nothing. The type is Linux's (statfs(2)); elsewhere temporary files are on a disk. */
const TMPFS = 0x01021994;
if (process.platform === 'linux' && statfsSync(tmpdir()).type === TMPFS) process.env.TMPDIR = '/var/tmp';

const server = await startPostgres();
process.on('message', ({ template }: { template?: string }) => {
  server.createDatabase(template).then(
    (url) => process.send?.({ url, pid: server.pid }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => void server.stop().then(() => process.exit(0)));
process.send?.('ready');

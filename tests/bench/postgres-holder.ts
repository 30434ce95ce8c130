// Runs Postgres for the benchmark and creates a database for each message, until its parent process exits. A separate
// process, because older versions of Node need a flag to run TypeScript.
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { startPostgres } from '@countersign/test-support/servers/postgres-server';

/** The file system type of tmpfs on Linux (statfs(2)). Commits to memory cost nothing, so the data goes to a disk. */
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

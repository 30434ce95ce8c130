// The baseline for the server on SQLite: the same work on the same tables with node:http and prepared statements of
// better-sqlite3, without a framework, layers or a log.
//
//   node program.mjs DATABASE_FILE group|each     (SECRET and PUBLIC_BASE_URL in the environment)
//
// `group` lets concurrent requests share one commit; `each` commits every request separately.
import { createServer } from 'node:http';
import { openDatabase } from './database.mjs';
import { createHandler } from './handler.mjs';

const [file = '', commit = ''] = process.argv.slice(2);
if (commit !== 'group' && commit !== 'each')
  throw new Error(`expected group or each, not ${JSON.stringify(commit)}`);
const { SECRET = '', PUBLIC_BASE_URL = '' } = process.env;

const database = openDatabase(file, commit);
const handler = createHandler(database, { secret: Buffer.from(SECRET, 'hex'), publicBaseUrl: PUBLIC_BASE_URL });
const server = createServer({ keepAliveTimeout: 65_000 }, handler);
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
// The program ends with the process that started it.
process.on('disconnect', () => process.exit(0));

// The baseline for the server on Postgres: the same work on the same tables with node:http and prepared statements of
// postgres.js, without a framework, layers or a log.
//
//   node program.mjs     (DATABASE_URL, SECRET and PUBLIC_BASE_URL in the environment)
import { createServer } from 'node:http';
import { openDatabase } from './database.mjs';
import { createHandler } from './handler.mjs';

const { DATABASE_URL = '', SECRET = '', PUBLIC_BASE_URL = '' } = process.env;

const database = openDatabase(DATABASE_URL);
const handler = createHandler(database, { secret: Buffer.from(SECRET, 'hex'), publicBaseUrl: PUBLIC_BASE_URL });
const server = createServer({ keepAliveTimeout: 65_000 }, handler);
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
// The program ends with the process that started it.
process.on('disconnect', () => process.exit(0));

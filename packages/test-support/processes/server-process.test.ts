import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A program that listens on `PORT` for two seconds and answers every request with 200, as a server of another test does. */
const OTHER_SERVER = `
  const server = require('node:http').createServer((request, response) => response.end('{}'));
  server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('taken'));
  setTimeout(() => process.exit(), 2_000);
`;

test('startServer waits for its own server when another program took the port', async () => {
  const folder = temporaryFolder();
  const [other, wasTaken] = [join(folder, 'other.cjs'), join(folder, 'was-taken')];
  writeFileSync(other, OTHER_SERVER);
  // Takes the port of the first attempt before the server listens.
  const script = `if [ ! -e "${wasTaken}" ]; then "${process.execPath}" "${other}" > "${wasTaken}" & while ! [ -s "${wasTaken}" ]; do sleep 0.05; done; fi; exec "$@"`;

  const server = await startServer({ launcher: ['/bin/sh', '-c', script, 'sh'] });

  const answer = await fetch(`${server.origin}/api/v1/verifications`);
  expect(answer.status).toBe(401);
});

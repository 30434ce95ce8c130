import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { idOf, newSubject } from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import { define, rowsOf } from '@countersign/test-support/installation/database-file';
import { newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { NO_RATE_LIMITS, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { expect, it } from 'vitest';

const EXPORT = '/dashboard/verifications/export.csv';

/** With long references, larger than what the buffers of a socket hold. */
const VERIFICATIONS = 40_000;

it('an export that is broken off leaves no transaction and no file open, and other requests are answered', async () => {
  const server = await startServer({ env: NO_RATE_LIMITS });
  const { api, clientId } = await givenApi(server);
  const id = idOf(await api.post(newSubject('first')));
  const owner = await newTeamMember(server, clientId);
  multiply(server.databaseFile, id);
  // The first page opens what stays open.
  expect((await owner.get('/dashboard/verifications')).status).toBe(200);
  const filesBefore = openFiles(server.pid);

  for (let time = 0; time < 3; time += 1) {
    const response = await owner.get(EXPORT);
    expect(response.headers.get('X-Total-Count')).toBe(String(VERIFICATIONS + 1));
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(new TextDecoder().decode(value)).toMatch(/^id,type,/);
    await reader?.cancel();
  }

  await until(() => openFiles(server.pid) <= filesBefore);
  // A reader would keep the write-ahead log from being emptied.
  await until(() => emptyLog(server.databaseFile));
  expect(await api.get(`/verifications/${id}`)).toMatchObject({ status: 200 });
});

/** Copies a verification in the database. */
function multiply(file: string, id: string): void {
  const made: Readonly<Record<string, string>> = {
    id: "printf('0198c0de-0000-7000-8000-%012d', n)",
    subject_reference: "printf('user_%0250d', n)",
    requested_at: 'requested_at - n * 1000',
  };
  const columns = rowsOf(file, "SELECT name FROM pragma_table_info('verifications')").map(({ name }) =>
    String(name),
  );
  define(
    file,
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${VERIFICATIONS})
     INSERT INTO verifications (${columns.join()})
     SELECT ${columns.map((column) => made[column] ?? column).join()} FROM numbers, verifications WHERE id = '${id}'`,
  );
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Moves the write-ahead log into the database. @returns whether no reader or writer prevented it */
function emptyLog(file: string): boolean {
  const database = new DatabaseSync(file);
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } finally {
    database.close();
  }
}

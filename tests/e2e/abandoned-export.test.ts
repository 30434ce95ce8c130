// Breaks off downloads and waits until a server has closed its files.
import { readdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { dataOf, idOf, newSubject } from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import { define, rowsOf } from '@countersign/test-support/installation/database-file';
import { operate } from '@countersign/test-support/installation/operator';
import { pdf } from '@countersign/test-support/pages/pictures';
import { newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { readZip } from '@countersign/test-support/zip/read-zip';
import { beforeAll, expect, it } from 'vitest';

const EXPORT = '/dashboard/verifications/export.csv';

/** With long references, larger than what the buffers of a socket hold. */
const VERIFICATIONS = 40_000;

/** Larger than what the buffers of a socket hold. */
const PAPER_BYTES = 9 * 1024 * 1024;

let server: ServerProcess;

beforeAll(async () => {
  server = await startServer();
});

it('a zip of a verification that is broken off leaves no file open, and the next one is whole', async () => {
  const { api, clientId, key } = await givenApi(server);
  await operate(server, ({ clients }) => clients.setFileAccess(clientId, true));
  const created = await api.post({ subjectType: 'kyb', subjectReference: 'papers' });
  const subject = await openSubjectForms(String(dataOf(created).verificationUrl), 'kyb');
  const papers: Readonly<Record<string, () => Buffer>> = {
    'registration-extract': largePaper,
    articles: () => pdf('Paper'),
  };
  const file = (slug: string): Blob | null => {
    const paper = papers[slug]?.();
    return paper === undefined ? null : new Blob([new Uint8Array(paper)]);
  };
  await subject.walk({ file }, 'document');
  const url = `${server.baseUrl}/verifications/${idOf(created)}/export`;
  const ask = () => fetch(url, { headers: { 'X-API-Key': key } });
  const zip = await readZip(new Uint8Array(await (await ask()).arrayBuffer()));
  expect(zip.map(({ name }) => name)).toEqual([
    'files/registration_extract.pdf',
    'files/articles.pdf',
    'data.json',
  ]);
  const filesBefore = openFiles(server.pid);

  for (let time = 0; time < 3; time += 1) {
    const reader = (await ask()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
  }

  await until(() => openFiles(server.pid) <= filesBefore);
  expect((await api.get(`/verifications/${idOf(created)}`)).status).toBe(200);
});

/** A PDF with a large part that no page shows. */
function largePaper(): Buffer {
  const part = `5 0 obj\n<< /Length ${PAPER_BYTES} >>\nstream\n${'x'.repeat(PAPER_BYTES)}\nendstream\nendobj\n`;
  return Buffer.from(pdf('Paper').toString('latin1').replace('xref\n0 1', `${part}xref\n0 1`), 'latin1');
}

it('an export that is broken off leaves no transaction and no file open, and other requests are answered', async () => {
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

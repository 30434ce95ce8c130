// Sends large files to slow readers: sockets fill only then.
import { connect, type Socket } from 'node:net';
import { ALL_DOWNLOADS_AT_ONCE, DOWNLOADS_AT_ONCE } from '@countersign/domain/evidence';
import { type ApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { givenApi } from '@countersign/test-support/installation/customer';
import { operate } from '@countersign/test-support/installation/operator';
import { pdf } from '@countersign/test-support/pages/pictures';
import { newTeamMember } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { residentMegabytesOf } from '@countersign/test-support/processes/resident-memory';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { beforeAll, expect, it } from 'vitest';

/** Larger than what the buffers of a connection hold. */
const PAPER_BYTES = 9 * 1024 * 1024;
const READERS = 60;

let server: ServerProcess;
/** Clients whose downloads fill all slots, and one more. */
const customers: Customer[] = [];

beforeAll(async () => {
  server = await startServer();
  for (let slots = 0; slots <= ALL_DOWNLOADS_AT_ONCE; slots += DOWNLOADS_AT_ONCE)
    customers.push(await givenLargeFile());
});

interface Customer {
  readonly api: ApiClient;
  readonly clientId: string;
  readonly key: string;
  readonly verificationId: string;
  readonly fileId: string;
}

/** Makes a client that has a verification with a large file. */
async function givenLargeFile(): Promise<Customer> {
  const { api, clientId, key } = await givenApi(server);
  await operate(server, ({ clients }) => clients.setFileAccess(clientId, true));
  const created = await api.post({ subjectType: 'kyb', subjectReference: 'papers' });
  const subject = await openSubjectForms(String(dataOf(created).verificationUrl), 'kyb');
  const file = (slug: string): Blob | null =>
    slug === 'registration-extract' ? new Blob([new Uint8Array(largePaper())]) : null;
  await subject.walk({ file }, 'document');
  const verificationId = idOf(created);
  const details = dataOf(await api.get(`/verifications/${verificationId}/details`));
  const [document] = details.documents as { readonly id: string }[];
  if (document === undefined) throw new Error('The verification has no file');
  return { api, clientId, key, verificationId, fileId: document.id };
}

/** A PDF with a large part that no page shows. */
function largePaper(): Buffer {
  const part = `5 0 obj\n<< /Length ${PAPER_BYTES} >>\nstream\n${'x'.repeat(PAPER_BYTES)}\nendstream\nendobj\n`;
  return Buffer.from(pdf('Paper').toString('latin1').replace('xref\n0 1', `${part}xref\n0 1`), 'latin1');
}

interface Reader {
  readonly socket: Socket;
  /** The headers of the response. */
  readonly head: Promise<string>;
}

/** Requests a path, and stops reading once the headers are there. */
function pausedReader(path: string, headers: string): Reader {
  const { host, port } = server;
  const socket = connect({ host, port });
  const head = new Promise<string>((resolve, reject) => {
    socket.on('error', reject);
    socket.once('data', (bytes) => {
      socket.pause();
      resolve(bytes.toString('latin1').split('\r\n\r\n', 1)[0] ?? '');
    });
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n`);
  return { socket, head };
}

/** Takes all slots of a client together, before the server disconnects the first reader as too slow. */
function holdSlots(path: string, key: string): Promise<readonly Reader[]> {
  return Promise.all(Array.from({ length: DOWNLOADS_AT_ONCE }, () => holdSlot(path, key)));
}

/** Takes a slot of a client. A download that has just ended can still hold it. */
async function holdSlot(path: string, key: string): Promise<Reader> {
  for (;;) {
    const reader = pausedReader(path, `X-API-Key: ${key}`);
    const head = await reader.head;
    if (head.startsWith('HTTP/1.1 200')) return reader;
    reader.socket.destroy();
    expect(head).toMatch(/^HTTP\/1\.1 429/);
  }
}

it(`${READERS} paused readers of one client hold ${DOWNLOADS_AT_ONCE} files; the others get 429, and another client goes on`, async () => {
  const [customer, other] = customers as [Customer, Customer];
  const { api, key, verificationId, fileId } = customer;
  const before = residentMegabytesOf(server.pid);
  const file = `/verifications/${verificationId}/files/${fileId}`;

  const readers = Array.from({ length: READERS }, () => pausedReader(`/api/v1${file}`, `X-API-Key: ${key}`));
  const heads = await Promise.all(readers.map(({ head }) => head));

  const refused = heads.filter((head) => !head.startsWith('HTTP/1.1 200'));
  expect(refused).toHaveLength(READERS - DOWNLOADS_AT_ONCE);
  for (const head of refused) expect(head).toMatch(/^HTTP\/1\.1 429.*\r\nRetry-After: 5(\r|$)/s);
  // The sealed and the opened file of each slot, and room for the heap. Without slots it was 590 MB.
  expect(residentMegabytesOf(server.pid) - before).toBeLessThan(200);
  expect(await api.get(file)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_DOWNLOADS' } });
  expect((await api.get(`/verifications/${verificationId}`)).status).toBe(200);
  expect(await downloaded(other)).toBeGreaterThan(PAPER_BYTES);

  for (const { socket } of readers) socket.destroy();
  await until(async () => (await downloaded(customer)) > PAPER_BYTES);
});

it('the slots of a client are those of its keys and of its team; a page says that there are too many', async () => {
  const [customer] = customers as [Customer];
  const { clientId, key, verificationId, fileId } = customer;
  const owner = await newTeamMember(server, clientId);
  const path = `/dashboard/verifications/${verificationId}/files/${fileId}`;
  const exported = `/api/v1/verifications/${verificationId}/export`;
  const readers = await holdSlots(exported, key);
  // The headers of a zip are sent before its first file is read.
  const page = await owner.get(path);
  expect([page.status, page.headers.get('Retry-After')]).toEqual([429, '5']);
  expect(await page.text()).toContain('Too many downloads');

  for (const { socket } of readers) socket.destroy();
  await until(async () => {
    const file = await owner.get(path);
    // Read whole, so that it leaves its slot.
    await file.arrayBuffer();
    return file.status === 200;
  });
});

it(`all clients together download ${ALL_DOWNLOADS_AT_ONCE} files at once`, async () => {
  const last = customers.at(-1) as Customer;
  const held = customers
    .slice(0, -1)
    .map(({ key, verificationId, fileId }) =>
      holdSlots(`/api/v1/verifications/${verificationId}/files/${fileId}`, key),
    );
  const readers = (await Promise.all(held)).flat();
  const file = `/verifications/${last.verificationId}/files/${last.fileId}`;
  expect(await last.api.get(file)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_DOWNLOADS' } });

  // One that leaves makes room.
  const waiting = downloaded(last);
  readers[0]?.socket.destroy();
  expect(await waiting).toBeGreaterThan(PAPER_BYTES);
  for (const { socket } of readers) socket.destroy();
});

/** Downloads the file. @returns its size, or 0 if it was refused */
async function downloaded({ key, verificationId, fileId }: Customer): Promise<number> {
  const url = `${server.baseUrl}/verifications/${verificationId}/files/${fileId}`;
  const response = await fetch(url, { headers: { 'X-API-Key': key } });
  const { byteLength } = await response.arrayBuffer();
  return response.ok ? byteLength : 0;
}

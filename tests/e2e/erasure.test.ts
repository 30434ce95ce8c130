import { join } from 'node:path';
import { type Answer, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { canariesOf } from '@countersign/test-support/installation/canaries';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { tallyOf } from '@countersign/test-support/installation/database-file';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { type RecordingReceiver, startRecordingReceiver } from '@countersign/test-support/load/webhook-receivers';
import { newStaff, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { beforeAll, expect, it } from 'vitest';

let server: ServerProcess;
let client: GivenApi;
let reviewer: StaffForms;

beforeAll(async () => {
  server = await startServer();
  client = await givenApi(server);
  reviewer = await newStaff(server, 'reviewer');
});

const detailsOf = async (id: string) => dataOf(await client.api.get(`/verifications/${id}/details`));
const evidence = () => filesBelow(join(server.dataDir, 'evidence')).toSorted();
const totalOf = ({ body }: Answer) => (body.data?.pagination as { totalCount: number } | undefined)?.totalCount;

function erase(id: string, query = ''): Promise<Answer> {
  return client.api.request(`/verifications/${id}/data${query}`, { method: 'DELETE' });
}

async function create(n: number): Promise<string> {
  return idOf(
    await client.api.post({
      subjectType: 'kyc',
      subjectReference: `reference ${n}`,
      metadata: { note: `metadata ${n}` },
    }),
  );
}

/** Opens the link of a verification as its subject, and answers until a page or until the end. */
async function answer(id: string, n: number, until?: string): Promise<void> {
  const { verificationUrl } = await detailsOf(id);
  const { content } = await canariesOf('kyc', n);
  await (await openSubjectForms(String(verificationUrl), 'kyc')).walk(content, until);
}

/** An endpoint of the client for the webhooks about its data. */
async function givenReceiver(): Promise<RecordingReceiver> {
  const receiver = await startRecordingReceiver();
  const types = 'verification.data_restricted,verification.data_erased';
  const settings = ['--client', client.clientId, '--name', 'shop', '--url', receiver.url, '--types', types];
  await countersignHere(['webhook', 'create', ...settings], server.env);
  return receiver;
}

/** Waits for a webhook about a verification, and returns its body. */
async function webhookOf(receiver: RecordingReceiver, type: string, id: string): Promise<string> {
  const find = () => receiver.webhooks.find(({ body }) => body.includes(`"${type}"`) && body.includes(id));
  await until(() => find() !== undefined);
  return find()?.body ?? '';
}

/** What the API, the list and the console say of a verification, as text. */
async function everythingOf(id: string): Promise<string> {
  const answers = [
    await client.api.get(`/verifications/${id}`),
    await client.api.get(`/verifications/${id}/details`),
    await client.api.get('/verifications?limit=100'),
  ];
  const page = await (await reviewer.get(`/review/${id}`)).text();
  return JSON.stringify(answers.map(({ body }) => body)) + page;
}

it('an approved verification whose relationship ended is hidden until the law allows its erasure', async () => {
  const receiver = await givenReceiver();
  const id = await create(1);
  await answer(id, 1);
  await reviewer.act(id, 'approve');
  expect(await everythingOf(id)).toContain('metadata 1');
  expect(await everythingOf(id)).toContain('Zyqß-');

  const body = JSON.stringify({ endedAt: new Date().toISOString() });
  const headers = { 'Content-Type': 'application/json' };
  const ended = await client.api.request(`/verifications/${id}/relationship-end`, {
    method: 'PUT',
    headers,
    body,
  });
  expect([ended.status, dataOf(ended).state]).toEqual([200, 'kept']);
  const end = new Date(String(dataOf(ended).until));
  expect(end.getUTCFullYear()).toBe(new Date(Date.now() + 86_400_000).getUTCFullYear() + 5);

  const { status, body: erased } = await erase(id);
  expect([status, erased.data]).toEqual([200, { state: 'restricted', until: end.toISOString() }]);
  const details = await detailsOf(id);
  expect(details).toMatchObject({ status: 'approved', submittedData: {}, documents: [], data: erased.data });
  const everything = await everythingOf(id);
  for (const canary of ['metadata 1', 'Zyqß-']) expect(everything).not.toContain(canary);
  expect(JSON.parse(await webhookOf(receiver, 'verification.data_restricted', id))).toMatchObject({
    data: { status: 'approved' },
  });
});

it('a withdrawn verification is erased, keeps its place in every count, and nothing of it is readable', async () => {
  const receiver = await givenReceiver();
  const other = await create(2);
  await answer(other, 2, 'check');
  const othersDetails = await detailsOf(other);
  const otherFiles = evidence();

  const id = await create(3);
  await answer(id, 3, 'check');
  expect(await everythingOf(id)).toContain('metadata 3');
  expect(evidence().length).toBeGreaterThan(otherFiles.length);
  const total = totalOf(await client.api.get());
  const before = tallyOf(server.databaseFile, client.clientId);

  const { status, body } = await erase(id, '?withdraw=true');
  expect([status, body.data]).toEqual([200, { state: 'erased', until: null }]);
  const subjectReference = `erased:${id}`;
  const left = { status: 'rejected', subjectReference, submittedData: {}, metadata: {}, documents: [] };
  expect(await detailsOf(id)).toMatchObject({ ...left, data: body.data });
  expect((await erase(id)).body).toEqual(body);

  const everything = await everythingOf(id);
  for (const canary of ['metadata 3', 'reference 3']) expect(everything).not.toContain(canary);
  expect(JSON.parse(await webhookOf(receiver, 'verification.data_erased', id))).toMatchObject({
    data: { status: 'rejected' },
  });
  expect(evidence()).toEqual(otherFiles);
  // The withdrawal, the request and the erasure are events of their own.
  expect(tallyOf(server.databaseFile, client.clientId)).toEqual({ ...before, events: before.events + 3 });
  expect(totalOf(await client.api.get())).toBe(total);
  expect(await detailsOf(other)).toEqual(othersDetails);
  expect(idOf(await client.api.post({ subjectType: 'kyc', subjectReference: 'reference 3' }))).not.toBe(id);
});

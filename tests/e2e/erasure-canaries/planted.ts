import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SubjectType } from '@countersign/domain';
import { WEBHOOK_TYPES } from '@countersign/domain/webhooks';
import { createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { type Canaries, canariesOf } from '@countersign/test-support/installation/canaries';
import { type CanaryCourses, canaryCourses } from '@countersign/test-support/installation/canary-courses';
import { givenApi } from '@countersign/test-support/installation/customer';
import { operate } from '@countersign/test-support/installation/operator';
import { rowsIn } from '@countersign/test-support/installation/rows-in';
import { countWaitingMails } from '@countersign/test-support/installation/waiting-mails';
import {
  type FormFields,
  newStaff,
  newTeamMember,
  type StaffForms,
  signInAgain,
} from '@countersign/test-support/pages/staff-forms';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { startMailServer, type TestMailServer } from '@countersign/test-support/servers/mail-server';
import { expect } from 'vitest';

/** Which verification becomes what. */
export const SUBJECTS = [
  /** Its subject had to answer again and had begun. It is withdrawn and erased by one request. */
  'erasedByRequest',
  /** Rejected. Its data was hidden by a request first, and the job erases it. */
  'erasedByJob',
  /** Withdrawn while its subject was answering. The job erases it. */
  'erasedUnfinished',
  /** Approved after a request for action. It stays. */
  'kept',
  /** Open, with a draft. It stays. */
  'keptOpen',
] as const;
export type SubjectName = (typeof SUBJECTS)[number];

export const ERASED: readonly SubjectName[] = ['erasedByRequest', 'erasedByJob', 'erasedUnfinished'];

const TYPES: Readonly<Record<SubjectName, SubjectType>> = {
  erasedByRequest: 'kyc',
  erasedByJob: 'kyb',
  erasedUnfinished: 'kyc',
  kept: 'kyb',
  keptOpen: 'kyc',
};

export interface PlantedSubject {
  readonly id: string;
  readonly canaries: Canaries;
  /** The request that created it and its key. */
  readonly request: object;
  readonly idempotencyKey: string;
}

/** A running server with canaries in every place that a client, a subject, a reviewer or a receiver can fill. */
export interface Planted {
  readonly server: ServerProcess;
  /** The servers that ran before it, with their output. */
  readonly stopped: readonly ServerProcess[];
  readonly metricsUrl: string;
  readonly client: { readonly clientId: string; readonly key: string };
  readonly staff: { readonly reviewer: StaffForms; readonly operator: StaffForms; readonly owner: StaffForms };
  readonly endpointId: string;
  readonly subjects: Readonly<Record<SubjectName, PlantedSubject>>;
}

const RETURN_ADDRESS = 'https://shop.example/';

/** Starts a server and fills it. */
export async function plantCanaries(given: Environment): Promise<Planted> {
  const metricsPort = await freePort();
  const mailServer = await startGreylistingServer();
  const env = {
    LOG_LEVEL: 'trace',
    METRICS_PORT: String(metricsPort),
    SMTP_URL: `smtp://localhost:${mailServer.port}`,
    MAIL_FROM: 'no-reply@verify.example',
    ...given,
  };
  const server = await startServer({ readsDocuments: true, env });
  const client = await givenApi(server, { plan: 'enterprise' });
  await operate(server, ({ clients }) => clients.setReturnAddresses(client.clientId, [RETURN_ADDRESS]));
  const settings = ['--client', client.clientId, '--name', 'shop', '--url', await startEchoingReceiver()];
  const types = ['--types', WEBHOOK_TYPES.join(',')];
  const { id: endpointId } = await countersignHere<{ id: string }>(
    ['webhook', 'create', ...settings, ...types],
    server.env,
  );
  const staff = {
    reviewer: await newStaff(server, 'reviewer'),
    operator: await newStaff(server, 'operator'),
    owner: await newTeamMember(server, client.clientId),
  };
  const courses = canaryCourses(server, client.api, staff.reviewer);
  const made = {} as Record<SubjectName, PlantedSubject>;
  for (const [n, name] of SUBJECTS.entries()) {
    const subject = await create(server.baseUrl, client.key, TYPES[name], n);
    await COURSES[name](courses, subject.id, subject.canaries, n);
    made[name] = subject;
  }
  await holdEach(staff.operator, [made.erasedByJob, made.kept]);
  await postForm(staff.operator, `/review/${made.erasedByJob.id}/release-hold`);
  const { erasedUnfinished } = made;
  const withdrawn = await client.api.request(`/verifications/${erasedUnfinished.id}/withdraw`, { method: 'POST' });
  expect(withdrawn.status).toBe(200);
  for (const name of LABELLED) await addKept(server, made[name]);
  await allDelivered(server);
  await mailsWait(server, mailServer, made);
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  await hasCounted(metricsUrl);
  return { server, stopped: [], metricsUrl, client, staff, endpointId, subjects: made };
}

/** Waits for the first reading of disks, and expects that the server has counted what it sent and its jobs. */
async function hasCounted(metricsUrl: string): Promise<void> {
  const text = async () => (await fetch(metricsUrl)).text();
  await until(async () => /^countersign_disk_bytes\{/m.test(await text()));
  await until(async () => /^countersign_readings_waiting 0$/m.test(await text()));
  const metrics = await text();
  expect(metrics).toMatch(/^countersign_webhook_attempts_total\{.*\} [1-9]/m);
  expect(metrics).toMatch(/^countersign_mail_attempts_total\{.*\} [1-9]/m);
  expect(metrics).toMatch(/^countersign_readings_total\{outcome="read"\} [1-9]/m);
  // Prometheus sees no increase in a counter that begins with 1.
  expect(metrics).toMatch(/^countersign_job_runs_total\{job="tidy_evidence",outcome="failed"\} 0$/m);
}

/** Puts verifications on hold, each for a reason of its own. A released hold keeps its reason until the data is erased. */
async function holdEach(operator: StaffForms, subjects: readonly PlantedSubject[]): Promise<void> {
  await operator.confirm();
  for (const { id, canaries } of subjects) {
    await postForm(operator, `/review/${id}/hold`, { reason: canaries.note('reason of a hold') });
  }
}

/** Submits a form of an action. */
async function postForm(staff: StaffForms, path: string, fields: FormFields = {}): Promise<void> {
  const response = await staff.post(path, fields);
  expect([path, response.status, response.headers.get('Location')]).toEqual([
    path,
    303,
    expect.stringContaining('?done='),
  ]);
}

const COURSES: Readonly<
  Record<SubjectName, (courses: CanaryCourses, id: string, subject: Canaries, n: number) => Promise<void>>
> = {
  async erasedByRequest(courses, id, subject, n) {
    await courses.asked(id, subject);
    const again = await canariesOf('kyc', n + SUBJECTS.length);
    const forms = await courses.open(id, again);
    await forms.walk(again.content, 'details');
    for (const trace of again.traces()) subject.add(trace);
  },
  erasedByJob: (courses, id, subject) => courses.rejected(id, subject),
  erasedUnfinished: (courses, id, subject) => courses.unfinished(id, subject),
  async kept(courses, id, subject, n) {
    await courses.asked(id, subject);
    const again = await canariesOf('kyb', n + SUBJECTS.length);
    await courses.approved(id, again);
    for (const trace of again.traces()) subject.add(trace);
  },
  keptOpen: (courses, id, subject) => courses.unfinished(id, subject),
};

async function create(baseUrl: string, key: string, type: SubjectType, n: number): Promise<PlantedSubject> {
  const canaries = await canariesOf(type, n);
  const canary = (name: string, content: string): string => {
    canaries.add({ name, content });
    return content;
  };
  const order = canary('return URL', `zyq-order-${n}-of-shop`);
  const request = {
    subjectType: type,
    subjectReference: canary('subjectReference', `zyq.reference.${n}@example.org`),
    metadata: {
      [canary('key of metadata', `Zyq-key-of-metadata-${n}`)]: canary('metadata', `Zyq "metadata" ${n} ß`),
    },
    returnUrl: `${RETURN_ADDRESS}done?order=${order}`,
    locale: 'en',
    notify: { email: canary('e-mail address', addressOf(n)) },
  };
  const idempotencyKey = canary('Idempotency-Key', `Zyq-idempotency-${n}`);
  const id = idOf(await createApiClient(baseUrl, key).post(request, { 'Idempotency-Key': idempotencyKey }));
  canary('response to a webhook', echoFor(id));
  return { id, canaries, request, idempotencyKey };
}

const addressOf = (n: number): string => `zyq.mail.${n}@example.org`;

/** Starts a mail server that refuses every recipient for now, and quotes them. */
async function startGreylistingServer(): Promise<TestMailServer> {
  const server = await startMailServer({ outlivesTest: true });
  server.refusal = { at: 'to', code: 450, text: '4.2.0 <{to}> is greylisted' };
  return server;
}

/** Counts mails about a verification that wait. */
export function mailsAbout(server: ServerProcess, verificationId: string): Promise<number> {
  return countWaitingMails(server, `verification_id = '${verificationId}'`);
}

/** Waits until the mail server refused mails to each subject. They wait for another attempt. */
async function mailsWait(
  server: ServerProcess,
  { refused }: TestMailServer,
  subjects: Readonly<Record<SubjectName, PlantedSubject>>,
): Promise<void> {
  await until(() => SUBJECTS.every((_, n) => refused.has(addressOf(n))));
  for (const name of ERASED) expect([name, await mailsAbout(server, subjects[name].id)]).not.toEqual([name, 0]);
}

/** The verifications that are erased after a submission, which labelled them and computed their warnings. */
const LABELLED: readonly SubjectName[] = ['erasedByRequest', 'erasedByJob'];

/** Counts what the index has of a verification: its labels, and the rows that say how it was labelled. */
export async function indexRowsOf(
  server: ServerProcess,
  verificationId: string,
): Promise<{ readonly labels: number; readonly labelled: number }> {
  const whose = `WHERE verification_id = '${verificationId}'`;
  const labels = await rowsIn(server, `SELECT 1 FROM index_entries ${whose}`);
  const labelled = await rowsIn(server, `SELECT 1 FROM indexed_verifications ${whose}`);
  return { labels: labels.length, labelled: labelled.length };
}

/** Adds what is stored of a verification beside its answers: its labels, as text and as bytes, and its encrypted warnings. */
async function addKept(server: ServerProcess, { id, canaries }: PlantedSubject): Promise<void> {
  const labels = await rowsIn(server, `SELECT purpose, label FROM index_entries WHERE verification_id = '${id}'`);
  expect(labels.map(({ purpose }) => purpose)).toEqual(expect.arrayContaining(PURPOSES));
  for (const { purpose, label } of labels) {
    canaries.add({ name: `label ${String(purpose)}`, content: String(label) });
    canaries.add({ name: `bytes of label ${String(purpose)}`, content: Buffer.from(String(label), 'base64url') });
  }
  const sealed = async () => {
    const [row] = await rowsIn(server, `SELECT warnings FROM verifications WHERE id = '${id}'`);
    return /"data": ?"([^"]+)"/.exec(
      typeof row?.warnings === 'string' ? row.warnings : JSON.stringify(row?.warnings),
    )?.[1];
  };
  await until(async () => (await sealed()) !== undefined);
  canaries.add({ name: 'kept warnings', content: String(await sealed()) });
}

const PURPOSES = ['document_number', 'person', 'phone', 'file'];

/** What the receiver answers about a verification: it must be gone with it, unlike the id. */
const echoFor = (verificationId: string): string => `Zyq-echo-of-${verificationId}`;

/** Starts a receiver that answers each webhook with its body and with personal data. It ends with the process. */
async function startEchoingReceiver(): Promise<string> {
  const receiver = createServer((incoming, outgoing) => {
    void text(incoming).then((body) => {
      const { data } = JSON.parse(body) as { data: { verificationId: string } };
      outgoing.writeHead(200).end(`${echoFor(data.verificationId)} ${body}`);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  receiver.unref();
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
}

/** Starts the server again on its data, with other settings, and signs the staff in. */
export async function restarted(planted: Planted, settings: Environment): Promise<Planted> {
  const { server: before, stopped, staff } = planted;
  await before.stop();
  const server = await startServer({ dataDir: before.dataDir, env: { ...before.env, ...settings } });
  const [reviewer, operator, owner] = [
    await signInAgain(server, staff.reviewer),
    await signInAgain(server, staff.operator),
    await signInAgain(server, staff.owner),
  ];
  return { ...planted, server, stopped: [...stopped, before], staff: { reviewer, operator, owner } };
}

/** Returns the environment of a server of another installation on this machine, with the same secrets and erasure log. */
export function elsewhere({ server }: Planted, settings: Environment): Environment {
  const { METRICS_PORT: _, ...env } = { ...server.env, ...settings } as Record<string, string>;
  return env;
}

/** Erases one verification and hides another by requests of the client. The owner then opens the hidden one for a reason. */
export async function eraseByRequests({ server, client, staff, subjects }: Planted): Promise<void> {
  const api = createApiClient(server.baseUrl, client.key);
  const erase = async (path: string) => dataOf(await api.request(`/verifications/${path}`, { method: 'DELETE' }));
  const { erasedByRequest, erasedByJob } = subjects;
  expect(await erase(`${erasedByRequest.id}/data?withdraw=true`)).toMatchObject({ state: 'erased' });
  expect(await erase(`${erasedByJob.id}/data`)).toMatchObject({ state: 'restricted' });
  await staff.owner.confirm();
  const reason = erasedByJob.canaries.note('reason of an opening');
  const opened = await staff.owner.post(`/dashboard/verifications/${erasedByJob.id}/open`, { reason });
  expect([opened.status, await opened.text()]).toEqual([200, expect.stringContaining('You opened hidden data.')]);
}

/** Lets a server whose law and policy ask to keep nothing erase what is decided. */
export async function eraseByJob(planted: Planted): Promise<Planted> {
  const nothing = { RETENTION_REJECTED: 'P0D', RETENTION_FLOOR_REJECTED: 'P0D', RETENTION_UNFINISHED: 'P0D' };
  const erasing = await restarted(planted, nothing);
  const finished = 'SELECT rule FROM erasures WHERE finished_at IS NOT NULL ORDER BY number';
  await until(async () => (await rowsIn(erasing.server, finished)).length === ERASED.length);
  const rules = (await rowsIn(erasing.server, finished)).map(({ rule }) => rule);
  expect(rules.toSorted()).toEqual(['requested', 'requested', 'unfinished']);
  await allDelivered(erasing.server);
  return erasing;
}

const UNDELIVERED = `
  SELECT 1 FROM verification_events WHERE unsent IS NOT NULL
  UNION ALL SELECT 1 FROM webhook_deliveries WHERE state = 'waiting'`;

/** Waits until every webhook was sent and its response is stored. */
async function allDelivered(server: ServerProcess): Promise<void> {
  await until(async () => (await rowsIn(server, UNDELIVERED)).length === 0);
}

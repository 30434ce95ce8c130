import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { dataOf, idOf } from '@countersign/test-support/api/api-client';
import { type Canaries, canariesOf } from '@countersign/test-support/installation/canaries';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { extent } from '@countersign/test-support/installation/extent';
import { createTraceSearch, encodingsOf, type Trace } from '@countersign/test-support/installation/traces';
import { newStaff, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms, type SubjectForms } from '@countersign/test-support/pages/subject-forms';
import { freePort } from '@countersign/test-support/processes/free-port';
import {
  NO_RATE_LIMITS,
  type ServerProcess,
  startServer,
} from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, describe, expect, it } from 'vitest';

const VERIFICATIONS = extent({ full: 200, short: 8 });
const AT_ONCE = 10;

/** The client's own data, which is not sealed. The search must find it, which proves that it works. */
const KNOWN = [
  { name: 'subjectReference', content: 'reference-of-the-client-0007' },
  { name: 'metadata', content: 'metadata of the client 0007' },
] as const;

let server: ServerProcess;
let client: GivenApi;
let reviewer: StaffForms;
let metricsUrl: string;
const canaries: Canaries[] = [];

beforeAll(async () => {
  const metricsPort = await freePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  server = await startServer({
    env: { ...NO_RATE_LIMITS, LOG_LEVEL: 'trace', METRICS_PORT: String(metricsPort) },
  });
  client = await givenApi(server, { plan: 'enterprise' });
  reviewer = await newStaff(server, 'reviewer');
});

/** Courses of a verification, each for a KYC and a KYB subject. */
const COURSES = [approved, approved, rejected, redone, redone, unfinished, withRefusals, submitted] as const;

async function makeOne(n: number): Promise<void> {
  const type = n % 2 === 0 ? 'kyc' : 'kyb';
  const subject = await canariesOf(type, n);
  canaries.push(subject);
  const number = String(n).padStart(4, '0');
  const id = idOf(
    await client.api.post({
      subjectType: type,
      subjectReference: `reference-of-the-client-${number}`,
      metadata: { note: `metadata of the client ${number}` },
    }),
  );
  await COURSES[Math.floor(n / 2) % COURSES.length]?.(id, subject, n);
  await readAsClientAndReviewer(id);
}

async function submitted(id: string, subject: Canaries): Promise<void> {
  const forms = await open(id, subject);
  await forms.walk(subject.content, 'check');
  await addStoredPicture(forms, subject);
  await forms.walk(subject.content);
  expect(dataOf(await client.api.get(`/verifications/${id}`)).status).toBe('submitted');
}

async function approved(id: string, subject: Canaries): Promise<void> {
  await submitted(id, subject);
  await reviewer.act(id, 'note', { 'note.internalNote': subject.note('beside') });
  await reviewer.act(id, 'approve', { 'approve.internalNote': subject.note('approval') });
}

async function rejected(id: string, subject: Canaries): Promise<void> {
  await submitted(id, subject);
  await reviewer.act(id, 'reject', {
    'reject.reasonCodes': 'data_mismatch',
    'reject.message': subject.note('rejection'),
    'reject.internalNote': subject.note('internal'),
  });
}

/** Earlier answers and files stay; the subject answers again with new ones. */
async function redone(id: string, subject: Canaries, n: number): Promise<void> {
  await submitted(id, subject);
  await reviewer.act(id, 'claim');
  const steps = subject.type === 'kyc' ? ['person', 'document'] : ['ownership', 'representative'];
  for (const step of steps) {
    await reviewer.post(`/review/${id}/ask`, { [`ask.${step}.note`]: subject.note(`unsent ${step}`) });
  }
  const [step = ''] = steps;
  await reviewer.act(id, 'ask', {
    'ask.steps': step,
    [`ask.${step}.reasonCode`]: 'data_mismatch',
    [`ask.${step}.note`]: subject.note('step'),
    'ask.message': subject.note('message'),
    'ask.internalNote': subject.note('asking'),
  });
  const again = await canariesOf(subject.type, n + VERIFICATIONS);
  canaries.push(again);
  await submitted(id, again);
}

/** Leaves half a step as a draft. */
async function unfinished(id: string, subject: Canaries): Promise<void> {
  const forms = await open(id, subject);
  await forms.walk(subject.content, subject.type === 'kyc' ? 'contact' : 'activity');
}

/** Submits invalid input, which only the page may repeat. */
async function withRefusals(id: string, subject: Canaries): Promise<void> {
  const forms = await open(id, subject);
  const { answers } = subject.content;
  const name = subject.type === 'kyc' ? 'name' : 'your-details';
  await forms.walk(subject.content, name);
  const [field = '', typed = ''] = Object.entries(answers[name] ?? {})[0] ?? [];
  const form = new URLSearchParams({ [field]: `${typed} ${'x'.repeat(100)}` });
  expect((await forms.post(name, form)).status).toBe(422);
  await forms.get(`files/${encodeURIComponent(typed)}`);
  await forms.get(`${name}?again=${encodeURIComponent(typed)}`);

  const slug = 'document-front';
  await forms.walk(subject.content, slug);
  const picture = new Uint8Array((await subject.content.file(slug)?.arrayBuffer()) ?? []);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><text>${subject.note('drawing')}</text></svg>`;
  for (const bad of [picture.subarray(0, picture.length - 200), new TextEncoder().encode(drawing)]) {
    const body = new FormData();
    body.set('file', new File([bad.slice()], subject.note('refused file')));
    expect((await forms.post(slug, body)).status).toBe(422);
  }
  await submitted(id, subject);
}

async function open(id: string, { type }: Canaries): Promise<SubjectForms> {
  const { verificationUrl } = dataOf(await client.api.get(`/verifications/${id}`));
  return openSubjectForms(String(verificationUrl), type);
}

/** Adds the re-encoded picture, which is the one stored on disk. */
async function addStoredPicture(forms: SubjectForms, subject: Canaries): Promise<void> {
  const page = await (await forms.get('document-front')).text();
  const path = /\/(files\/[\w-]+)"/.exec(page)?.[1];
  // The step was not requested again; its picture was added the first time.
  if (path === undefined) return;
  const kept = Buffer.from(await (await forms.get(path)).arrayBuffer());
  expect(kept.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  subject.add({ name: 'first bytes of a kept picture', content: kept.subarray(0, 96) });
  subject.add({ name: 'last bytes of a kept picture', content: kept.subarray(-96) });
}

/** Reads the verification and a file as the client and as a reviewer. */
async function readAsClientAndReviewer(id: string): Promise<void> {
  const [details, list, page] = await Promise.all([
    client.api.get(`/verifications/${id}/details`),
    client.api.get('/verifications?limit=5'),
    reviewer.get(`/review/${id}`),
  ]);
  expect([details.status, list.status, page.status]).toEqual([200, 200, 200]);
  const file = /\/review\/[\w-]+\/files\/[\w-]+/.exec(await page.text())?.[0];
  if (file !== undefined) expect((await (await reviewer.get(file)).arrayBuffer()).byteLength).toBeGreaterThan(0);
}

/** Yields the places that could contain personal data: the files of the data directory and the log. */
async function* places(): AsyncGenerator<[name: string, content: Uint8Array]> {
  for (const file of filesBelow(server.dataDir)) yield [relative(server.dataDir, file), readFileSync(file)];
  yield ['log', Buffer.from(server.output())];
}

async function tracesFound(traces: readonly Trace[]): Promise<string[]> {
  const search = createTraceSearch(traces);
  const lines: string[] = [];
  for await (const [place, content] of places()) {
    lines.push(...search(content).map(({ name, encoding }) => `${place}: ${name} as ${encoding}`));
  }
  return lines;
}

describe(`personal data of ${VERIFICATIONS} verifications`, () => {
  beforeAll(async () => {
    const numbers = Array.from({ length: VERIFICATIONS }, (_, n) => n).values();
    const work = async () => {
      for (const n of numbers) await makeOne(n);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }, 300_000);

  const traces = () => canaries.flatMap((subject) => subject.traces());

  it('is not in files, log or metrics while the server runs', async () => {
    expect(traces().length).toBeGreaterThan(VERIFICATIONS * 20);
    const metrics = await (await fetch(metricsUrl)).text();
    expect(metrics).toContain('# TYPE');
    expect(createTraceSearch(traces())(Buffer.from(metrics))).toEqual([]);
    expect(await tracesFound(traces())).toEqual([]);
  });

  it('would be found: the search finds data that is not sealed', async () => {
    const found = await tracesFound(KNOWN);
    for (const { name } of KNOWN) {
      expect(found).toContainEqual(expect.stringMatching(new RegExp(`^countersign\\.db.*: ${name} as utf-8$`)));
    }
    const names: string[] = [];
    for await (const [place] of places()) names.push(place);
    expect(names).toContain('countersign.db-wal');
    expect(names.filter((name) => name.startsWith('evidence/')).length).toBeGreaterThan(VERIFICATIONS * 2);
    expect(server.output()).toContain('/verify/');
    expect(server.output()).toContain('"level":');
  });

  it('is not in files or log after the server has stopped', async () => {
    await server.stop();
    expect(await tracesFound(traces())).toEqual([]);
  });
});

describe('createTraceSearch', () => {
  it.each([...encodingsOf('Zyq "17" ß\\ä line1')])('finds text encoded as %s', (encoding, bytes) => {
    const folder = join(temporaryFolder(), 'a', 'b');
    mkdirSync(folder, { recursive: true });
    const search = createTraceSearch([{ name: 'planted', content: 'Zyq "17" ß\\ä line1' }]);

    for (const before of ['', 'x', 'xy', 'xyz']) {
      writeFileSync(join(folder, 'file'), Buffer.concat([Buffer.from(before), bytes, Buffer.from('and more')]));
      const [file = ''] = filesBelow(folder);
      expect(search(readFileSync(file))).toContainEqual({ name: 'planted', encoding });
    }
    expect(search(bytes.subarray(0, -1)).filter((found) => found.encoding === encoding)).toEqual([]);
  });

  it('finds bytes at any offset in base64, in hexadecimal and in binary data', () => {
    const search = createTraceSearch([
      { name: 'planted', content: new Uint8Array([1, 2, 3, 250, 5, 6, 7, 8, 9]) },
    ]);
    for (const before of [0, 1, 2, 3]) {
      const whole = Buffer.concat([Buffer.alloc(before, 7), Buffer.from([1, 2, 3, 250, 5, 6, 7, 8, 9, 55])]);
      expect(search(whole).map(({ encoding }) => encoding)).toEqual(['utf-8']);
      expect(search(Buffer.from(whole.toString('base64')))).toHaveLength(1);
      expect(search(Buffer.from(whole.toString('hex')))).toHaveLength(1);
    }
  });
});

// Subjects answer each step, and their data is searched for in every file of a server.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { idOf } from '@countersign/test-support/api/api-client';
import { type Canaries, canariesOf } from '@countersign/test-support/installation/canaries';
import { type CanaryCourses, canaryCourses } from '@countersign/test-support/installation/canary-courses';
import { type GivenApi, givenApi } from '@countersign/test-support/installation/customer';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { extent } from '@countersign/test-support/installation/extent';
import { createTraceSearch, encodingsOf, type Trace } from '@countersign/test-support/installation/traces';
import { newStaff, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { freePort } from '@countersign/test-support/processes/free-port';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeAll, describe, expect, it } from 'vitest';

const VERIFICATIONS = extent({ full: 200, short: 6 });
const AT_ONCE = 10;

/** The client's own data, which is not sealed. The search must find it, which proves that it works. */
const KNOWN = [
  { name: 'subjectReference', content: 'reference-of-the-client-0003' },
  { name: 'metadata', content: 'metadata of the client 0003' },
] as const;

let server: ServerProcess;
let client: GivenApi;
let reviewer: StaffForms;
let courses: CanaryCourses;
let metricsUrl: string;
const canaries: Canaries[] = [];

beforeAll(async () => {
  const metricsPort = await freePort();
  metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  server = await startServer({
    readsDocuments: true,
    env: { LOG_LEVEL: 'trace', METRICS_PORT: String(metricsPort) },
  });
  client = await givenApi(server, { plan: 'enterprise' });
  reviewer = await newStaff(server, 'reviewer');
  courses = canaryCourses(server, client.api, reviewer);
});

/** Courses of a verification, each for a KYC and a KYB subject. The short form has the first three. */
const COURSES = [
  'approved',
  'rejected',
  'redone',
  'unfinished',
  'withRefusals',
  'submitted',
  'approved',
  'redone',
] as const;

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
  const course = COURSES[Math.floor(n / 2) % COURSES.length] ?? 'approved';
  await (course === 'redone' ? redone(id, subject, n) : courses[course](id, subject));
  await readAsClientAndReviewer(id);
}

/** Earlier answers and files stay; the subject answers again with new ones. */
async function redone(id: string, subject: Canaries, n: number): Promise<void> {
  await courses.asked(id, subject);
  const again = await canariesOf(subject.type, n + VERIFICATIONS);
  canaries.push(again);
  await courses.submitted(id, again);
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

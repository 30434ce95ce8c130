// Subjects answer each step, and their pictures are decoded, while keys rotate.
import { createHash, randomBytes } from 'node:crypto';
import type { RebuiltIndex } from '@countersign/domain/storage';
import { type ApiClient, createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { statusOfLink } from '@countersign/test-support/api/link';
import { canariesOf } from '@countersign/test-support/installation/canaries';
import { extent } from '@countersign/test-support/installation/extent';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { rowsIn } from '@countersign/test-support/installation/rows-in';
import { newStaff, type StaffForms, signInAgain } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { countersign, countersignHere } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { steadily } from '@countersign/test-support/processes/steadily';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { describe, expect, it } from 'vitest';
import { givenCaseMaker } from '../submitted-cases.ts';

const BEFORE = extent({ full: 12, short: 2 });
/** The number of subjects who submit concurrently during the rotation. */
const AT_WORK = extent({ full: 4, short: 1 });
/** The number of clients and reviewers who read concurrently. */
const READERS = extent({ full: 2, short: 1 });

interface Subject {
  readonly id: string;
  /** The last name in the subject's answers. */
  readonly lastName: string;
}

const newSecret = (): string => randomBytes(32).toString('base64');

describe('keys rotate while a server is under load', () => {
  it('all verifications stay readable, and the old secret can be removed', async () => {
    const [oldKey, newKey] = [newSecret(), newSecret()];
    const env = (secretKeys: string) => ({ SECRET_KEYS: secretKeys });
    const submitted: Subject[] = [];
    let number = 0;

    async function submitOne(api: ApiClient): Promise<void> {
      number += 1;
      const subjectReference = `subject-${number}`;
      const { content, type } = await canariesOf('kyc', 8 * number + 1);
      const answer = await api.post({ subjectType: type, subjectReference });
      const forms = await openSubjectForms(String(dataOf(answer).verificationUrl), type);
      await forms.walk(content);
      submitted.push({ id: idOf(answer), lastName: content.answers.name?.lastName ?? '' });
    }

    // The old secret seals all data so far.
    let server = await startServer({ env: env(oldKey) });
    const { dataDir } = server;
    const { key } = await givenClientOf(server, { plan: 'enterprise' });
    let reviewer = await newStaff(server, 'reviewer');
    const apiOf = ({ baseUrl }: ServerProcess) => createApiClient(baseUrl, key);
    const unfinished = await apiOf(server).post({ subjectType: 'kyc', subjectReference: 'unfinished' });
    const oldLink = String(dataOf(unfinished).verificationUrl);
    const before = await canariesOf('kyc', 1);
    await (await openSubjectForms(oldLink, 'kyc')).walk(before.content, 'document-front');
    for (let n = 0; n < BEFORE; n += AT_WORK) {
      await Promise.all(Array.from({ length: AT_WORK }, () => submitOne(apiOf(server))));
    }
    await server.stop();

    // The new secret comes first and seals from now on.
    server = await startServer({ dataDir, env: env(`${newKey},${oldKey}`) });
    reviewer = await signInAgain(server, reviewer);
    const api = apiOf(server);
    expect(await statusOfLink(atPortOf(server, oldLink))).toBe(303);
    const atBegin = submitted.length;
    const subjects = steadily(AT_WORK, () => submitOne(api));
    let read = 0;
    const reading = steadily(READERS, async () => {
      const subject = submitted[read++ % submitted.length];
      if (subject !== undefined) await expectWhole(subject, api, reviewer);
    });
    await Promise.all([reading.until(() => read > 2), subjects.until(() => submitted.length > atBegin)]);

    const first = await countersign<Rotation>(['keys', 'rotate'], server.env);
    const during = submitted.length;
    await subjects.until(() => submitted.length >= during + AT_WORK);
    const second = await countersign<Rotation>(['keys', 'rotate'], server.env);
    await Promise.all([subjects.stop(), reading.stop()]);

    // Includes the unfinished verification; data sealed after the restart needs no re-wrapping.
    expect(first.rewrapped).toBe(BEFORE + 1);
    expect(first.indexKeys).toBe(1);
    expect(second).toEqual({ ...first, rewrapped: 0, indexKeys: 0 });
    await server.stop();
    expect(server.output()).not.toMatch(/"level":"?(error|fatal|50|60)\b/);

    // The new secret alone unseals all data.
    server = await startServer({ dataDir, env: env(newKey) });
    reviewer = await signInAgain(server, reviewer);
    const after = apiOf(server);
    for (const subject of submitted) await expectWhole(subject, after, reviewer);

    // Links signed with the old secret no longer open (docs/operations.md, Secrets); the API returns a new link.
    expect(await statusOfLink(atPortOf(server, oldLink))).toBe(404);
    const again = dataOf(await after.get(`/verifications/${idOf(unfinished)}`));
    const forms = await openSubjectForms(String(again.verificationUrl), 'kyc');
    await forms.walk(before.content);
    expect(dataOf(await after.get(`/verifications/${idOf(unfinished)}`)).status).toBe('submitted');
    await expectWhole(
      { id: idOf(unfinished), lastName: before.content.answers.name?.lastName ?? '' },
      after,
      reviewer,
    );
    console.info(
      `keys rotate: ${first.rewrapped} re-wrapped beside ${submitted.length - atBegin} verifications made`,
    );
  });
});

describe('blind indexes of a server under load', () => {
  it('every match is found throughout rotations of the secret and of the key of the index', async () => {
    await expectFoundThroughout({});
  });
});

describeWith(['postgres'], 'blind indexes of a server on Postgres under load', () => {
  const postgres = givenPostgres();

  it('every match is found throughout rotations of the secret and of the key of the index', async () => {
    await expectFoundThroughout({ DATABASE_URL: await postgres.createDatabase() });
  });
});

/** Cases whose subjects are looked for during the rotations. */
const KNOWN = extent({ full: 200, short: 10 });
/** Rotations of the secret and of the key of the index. */
const ROTATIONS = extent({ full: 10, short: 2 });
/** Rebuilds an index without the pauses that leave processor time to a server with many cases. */
const REBUILD = ['index', 'rebuild', '--share', '100'];

interface KnownCase {
  readonly id: string;
  readonly number: string;
  readonly lastName: string;
}

/** Finds every match of the index of a server whose secret and key of the index are rotated, and warns of each. */
async function expectFoundThroughout(settings: Environment): Promise<void> {
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  const env = { ...settings, SECRET_KEYS: [newKey, oldKey].map((key) => key.toString('base64')).join(',') };
  let server = await startServer({ env });
  // The old secret seals the key of the index.
  const cases = await givenCaseMaker(server, oldKey);
  const known: KnownCase[] = [];
  for (let n = 0; n < KNOWN; n += 1) {
    const [number, lastName] = [`KNOWN${n}`, `Known${lettersOf(n)}`];
    const id = await cases.submit({ person: { lastName }, document: { number } });
    known.push({ id, number, lastName });
  }
  const api = createApiClient(server.baseUrl, cases.key);
  let reviewer = await newStaff(server, 'reviewer');

  async function expectFound({ id, number, lastName }: KnownCase): Promise<void> {
    for (const search of [{ query: number }, { query: `Ada ${lastName}`, birthDate: '1990-12-10' }]) {
      const answer = await reviewer.post('/review/search', search);
      expect([search, answer.status, await answer.text()]).toEqual([
        search,
        200,
        expect.stringMatching(new RegExp(`href="/review/${id}[^"]*" data-case`)),
      ]);
    }
  }

  /** Submits the number of a known document as another person. */
  async function expectWarned({ id: knownId, number }: KnownCase, subject: number): Promise<void> {
    const { content, type } = await canariesOf('kyc', 8 * subject + 1);
    const answer = await api.post({ subjectType: type, subjectReference: `subject-${subject}` });
    const forms = await openSubjectForms(String(dataOf(answer).verificationUrl), type);
    const { answers } = content;
    const document = { ...answers.document, issuingCountry: 'GB' };
    const details = { ...answers['document-details'], number };
    await forms.walk({ ...content, answers: { ...answers, document, 'document-details': details } });
    const id = idOf(answer);
    const kept = `SELECT severity FROM verifications WHERE id = '${id}' AND severity IS NOT NULL`;
    warnedAfterMs.push(await until(async () => (await rowsIn(server, kept)).length > 0));
    expect(await rowsIn(server, kept)).toEqual([{ severity: 'warning' }]);
    expect(await (await reviewer.get(`/review/${id}`)).text()).toContain(`/review/${knownId}`);
  }

  const nextOf = (count: number): KnownCase => {
    const one = known[count % known.length];
    if (one === undefined) throw new Error('no case is known');
    return one;
  };
  let [searched, submitted] = [0, 0];
  const warnedAfterMs: number[] = [];
  const searching = steadily(READERS, () => expectFound(nextOf(searched++)));
  const submitting = steadily(AT_WORK, async () => {
    submitted += 1;
    await expectWarned(nextOf(7 * submitted), submitted);
  });
  const rotate = async () => {
    const { indexKeys } = await countersign<Rotation>(['keys', 'rotate'], server.env);
    const rebuilt = await countersign<RebuiltIndex>([...REBUILD, '--new-key'], server.env);
    return { indexKeys, ...rebuilt };
  };

  await Promise.all([searching.until(() => searched > 1), submitting.until(() => submitted > 0)]);
  expect(await rotate()).toMatchObject({ indexKeys: 1, keysAdded: 1, unreadable: 0 });
  for (let n = 1; n < ROTATIONS; n += 1) expect(await rotate()).toMatchObject({ indexKeys: 0, keysAdded: 1 });
  const during = submitted;
  await submitting.until(() => submitted > during);
  await Promise.all([searching.stop(), submitting.stop()]);
  const slowest = Math.round(Math.max(...warnedAfterMs));
  console.info(
    `index keys rotate: ${searched} cases searched for beside ${ROTATIONS}, and ${warnedAfterMs.length} submitted, ` +
      `each warned of within ${slowest} ms`,
  );

  await countersignHere(REBUILD, server.env);
  expect(await rowsIn(server, 'SELECT count(*) AS keys FROM index_keys')).toMatchObject([
    { keys: expect.toSatisfy((keys) => Number(keys) === 1) },
  ]);
  await server.stop();
  expect(server.output()).not.toMatch(/"level":"?(error|fatal|50|60)\b/);

  // The new secret alone opens the key of the index.
  server = await startServer({
    dataDir: server.dataDir,
    env: { ...server.env, SECRET_KEYS: newKey.toString('base64') },
  });
  reviewer = await signInAgain(server, reviewer);
  for (const one of known.slice(0, 5)) await expectFound(one);
}

interface Rotation {
  readonly rewrapped: number;
  readonly indexKeys: number;
  readonly secondFactors: number;
  readonly newestKey: string;
}

/** Expects the client to read the answers and the reviewer to read each file byte for byte. */
async function expectWhole({ id, lastName }: Subject, api: ApiClient, reviewer: StaffForms): Promise<void> {
  const details = dataOf(await api.get(`/verifications/${id}/details`));
  expect(details).toMatchObject({ status: 'submitted', submittedData: { person: { lastName } } });
  expect((await reviewer.get(`/review/${id}`)).status).toBe(200);
  const documents = details.documents as { id: string; sha256: string; size: number }[];
  expect(documents.length).toBeGreaterThanOrEqual(2);
  for (const { id: fileId, sha256 } of documents) {
    const file = await reviewer.get(`/review/${id}/files/${fileId}`);
    const content = Buffer.from(await file.arrayBuffer());
    expect([file.status, createHash('sha256').update(content).digest('hex')]).toEqual([200, sha256]);
  }
}

/** Writes a number in letters, because names have no digits. */
const lettersOf = (n: number): string => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');

/** Returns an earlier link with the server's current port. */
function atPortOf({ port }: ServerProcess, link: string): string {
  return `http://localhost:${port}${new URL(link).pathname}`;
}

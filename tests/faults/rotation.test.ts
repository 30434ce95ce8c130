import { createHash, randomBytes } from 'node:crypto';
import { type ApiClient, createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { statusOfLink } from '@countersign/test-support/api/link';
import { canariesOf } from '@countersign/test-support/installation/canaries';
import { extent } from '@countersign/test-support/installation/extent';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { newStaff, type StaffForms, signInAgain } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { countersign } from '@countersign/test-support/processes/command-line';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { steadily } from '@countersign/test-support/processes/steadily';
import { describe, expect, it } from 'vitest';

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

/** Returns an earlier link with the server's current port. */
function atPortOf({ port }: ServerProcess, link: string): string {
  return `http://localhost:${port}${new URL(link).pathname}`;
}

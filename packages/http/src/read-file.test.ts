import type { Permission, SubjectAccess } from '@countersign/domain';
import { rejectVerification } from '@countersign/domain/actions';
import { DOWNLOADS_AT_ONCE } from '@countersign/domain/evidence';
import { newDigest } from '@countersign/test-support/service/new-files';
import { readZip } from '@countersign/test-support/zip/read-zip';
import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient } from '../test-support/api.ts';
import {
  answerStep,
  givenPending,
  givenSubmitted,
  reviewerOf,
  subjectOf,
  UPLOADED,
} from '../test-support/verifications.ts';

const CONTENT = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2, 0x80]);

let api: GivenApi;
let client: GivenClient;

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
  await api.countersign.clients.setFileAccess(client.clientId, true);
});

/** A submitted verification whose first file has a content. */
async function givenFile(of = client): Promise<{ id: string; fileId: string; version: number }> {
  const { id, version } = await givenSubmitted(api, of);
  const { documents } = await api.countersign.verifications.details(of.principal, id);
  const fileId = documents[0]?.id ?? '';
  await api.files.put({ clientId: of.clientId, verificationId: id, fileId }, CONTENT);
  return { id, fileId, version };
}

/** Uploads a front of the document with a content. @returns its id */
async function givenUpload(access: SubjectAccess): Promise<string> {
  const upload = { step: 'document', kind: 'document_front', ...UPLOADED, sha256: newDigest() } as const;
  const { file } = await api.countersign.subject.attachFile(access, upload);
  const { verificationId } = access;
  await api.files.put({ clientId: client.clientId, verificationId, fileId: file.id }, CONTENT);
  return file.id;
}

/** Returns the ids of the files in the details. */
async function listed(id: string): Promise<string[]> {
  const { documents } = dataOf(await api.request(`/verifications/${id}/details`, { key: client.key }));
  return (documents as { id: string }[]).map((document) => document.id);
}

/** Returns the names in the zip of an export. */
async function exported(id: string): Promise<string[]> {
  const response = await api.app.request(`/api/v1/verifications/${id}/export`, {
    headers: { 'X-API-Key': client.key },
  });
  return (await readZip(new Uint8Array(await response.arrayBuffer()))).map(({ name }) => name);
}

const ask = (id: string, fileId: string, key = client.key, method = 'GET') =>
  api.request(`/verifications/${id}/files/${fileId}`, { key, method });

const entries = async () =>
  (await api.storage.audit.read(0, 100)).map(({ actor, action, outcome, clientId, targetId, detail }) => ({
    actor,
    action,
    outcome,
    clientId,
    targetId,
    detail,
  }));

describe('GET /verifications/{id}/files/{fileId}', () => {
  it('200 with the content, to be saved under a plain name, and an entry in the audit log', async () => {
    const { id, fileId } = await givenFile();
    const response = await api.app.request(`/api/v1/verifications/${id}/files/${fileId}`, {
      headers: { 'X-API-Key': client.key },
    });

    expect(response.status).toBe(200);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(CONTENT);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': 'attachment; filename="document_front.jpg"',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(await entries()).toEqual([
      {
        actor: { kind: 'api_key', id: client.keyId },
        action: 'verifications.read_file',
        outcome: 'allowed',
        clientId: client.clientId,
        targetId: id,
        detail: { fileId },
      },
    ]);
    expect((await ask(id, fileId)).status).toBe(200);
    expect((await ask(id, fileId, client.key, 'HEAD')).status).toBe(200);
    expect((await entries()).length).toBe(3);
  });

  it('a download leaves its slot once it is read, refused or only asked for by HEAD; one that is not read holds it', async () => {
    const { id, fileId } = await givenFile();
    for (let time = 0; time <= DOWNLOADS_AT_ONCE; time += 1) {
      expect((await ask(id, fileId)).status).toBe(200);
      expectRefusal(await ask(id, 'unknown'), 404, 'FILE_NOT_FOUND');
      expect((await ask(id, fileId, client.key, 'HEAD')).status).toBe(200);
    }
    const unread = () =>
      api.app.request(`/api/v1/verifications/${id}/files/${fileId}`, { headers: { 'X-API-Key': client.key } });
    const responses: Response[] = [];
    for (let slot = 1; slot <= DOWNLOADS_AT_ONCE; slot += 1) responses.push(await unread());
    const refused = await ask(id, fileId);
    expectRefusal(refused, 429, 'TOO_MANY_DOWNLOADS');
    expect(refused.headers.get('Retry-After')).toBe('5');
    await responses[0]?.body?.cancel();
    expect((await ask(id, fileId)).status).toBe(200);
  });

  it.each<Permission>(['verifications:read', 'verifications:create'])(
    'a key with only %s: 403 INSUFFICIENT_PERMISSIONS',
    async (permission) => {
      const { id, fileId } = await givenFile();
      const { value } = await api.countersign.apiKeys.issue(client.clientId, { permissions: [permission] });
      expectRefusal(await ask(id, fileId, value), 403, 'INSUFFICIENT_PERMISSIONS');
      expect(await entries()).toEqual([]);
    },
  );

  it('switched off: 403 FILES_SWITCHED_OFF with an entry, also for an unknown file, from the next request', async () => {
    const { id, fileId } = await givenFile();
    await api.countersign.clients.setFileAccess(client.clientId, false);
    for (const file of [fileId, 'unknown']) expectRefusal(await ask(id, file), 403, 'FILES_SWITCHED_OFF');
    expectRefusal(await ask('unknown', fileId), 404, 'VERIFICATION_NOT_FOUND');
    expect((await entries()).map(({ outcome, detail }) => [outcome, detail.code])).toContainEqual([
      'refused',
      'FILES_SWITCHED_OFF',
    ]);
    await api.countersign.clients.setFileAccess(client.clientId, true);
    expect((await ask(id, fileId)).status).toBe(200);
  });

  it("another client's verification: the same 404 as an unknown id, also with its own file", async () => {
    const { id, fileId } = await givenFile();
    const stranger = await givenClient(api);
    await api.countersign.clients.setFileAccess(stranger.clientId, true);
    const own = await givenFile(stranger);
    const foreign = await ask(id, fileId, stranger.key);
    expectRefusal(foreign, 404, 'VERIFICATION_NOT_FOUND');
    expect((await ask('unknown', fileId, stranger.key)).body).toEqual(foreign.body);
    expect((await ask(id, own.fileId, stranger.key)).body).toEqual(foreign.body);
  });

  it('a file of another verification, of another client and an unknown one: the same 404 FILE_NOT_FOUND', async () => {
    const { id, fileId, version } = await givenFile();
    await reviewerOf(api, 'staff-7').run(rejectVerification, {
      verificationId: id,
      version,
      reasonCodes: ['document_glare'],
    });
    const next = await givenFile();
    const stranger = await givenFile(await givenClient(api));
    expect(next.fileId).not.toBe(fileId);
    for (const other of [next.fileId, stranger.fileId, 'unknown', '%00', '..%2f..', 'x'.repeat(300)]) {
      expectRefusal(await ask(id, other), 404, 'FILE_NOT_FOUND');
    }
  });

  it('a file of a step that is not complete: 404 FILE_NOT_FOUND and in no list, until an answer names it', async () => {
    const id = await givenPending(api, client);
    const { subject } = api.countersign;
    const access = await subjectOf(api, client, id);
    await answerStep(api.countersign, access, 'consent');
    const [retaken, front] = [await givenUpload(access), await givenUpload(access)];

    for (const fileId of [retaken, front]) expectRefusal(await ask(id, fileId), 404, 'FILE_NOT_FOUND');
    expect(await listed(id)).toEqual([]);
    expect(await exported(id)).toEqual(['data.json']);

    const answers = {
      type: 'passport',
      issuingCountry: 'GB',
      number: '123456789',
      expiresOn: '2099-12-31',
      frontFileId: front,
    };
    await subject.completeStep(access, 'document', answers);
    expect((await ask(id, front)).status).toBe(200);
    expectRefusal(await ask(id, retaken), 404, 'FILE_NOT_FOUND');
    expect(await listed(id)).toEqual([front]);
    expect(await exported(id)).toEqual(['files/document_front.jpg', 'data.json']);
  });

  it('a content that is missing: 404 FILE_NOT_FOUND, which is reported', async () => {
    const { id, fileId } = await givenFile();
    await api.files.delete({ clientId: client.clientId, verificationId: id, fileId });
    const answer = await ask(id, fileId);
    expectRefusal(answer, 404, 'FILE_NOT_FOUND');
    expect((await entries()).map(({ outcome }) => outcome)).toEqual(['allowed', 'refused']);
    expect(api.faults).toMatchObject([
      {
        fault: { code: 'FILE_MISSING', fileId },
        entry: {
          requestId: answer.headers.get('x-request-id'),
          path: '/verifications/{id}/files/{fileId}',
          verificationId: id,
        },
      },
    ]);
  });

  it('hidden and erased data: 409 ILLEGAL_TRANSITION with the status', async () => {
    const restricted = await givenFile();
    const { id: verificationId, version } = restricted;
    await reviewerOf(api, 'staff-7').run(rejectVerification, {
      verificationId,
      version,
      reasonCodes: ['document_glare'],
    });
    expect((await ask(restricted.id, restricted.fileId)).status).toBe(200);
    await api.countersign.verifications.eraseData(client.principal, restricted.id);
    const refused = await ask(restricted.id, restricted.fileId);
    expectRefusal(refused, 409, 'ILLEGAL_TRANSITION', refused.body.error);
    expect(dataOf(refused)).toEqual({ status: 'rejected' });
  });
});

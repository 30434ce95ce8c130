import { CountersignError, type Permission } from '@countersign/domain';
import { rejectVerification } from '@countersign/domain/actions';
import { EvidenceFault, type EvidencePlace } from '@countersign/domain/evidence';
import type { ArchiveEntry } from '@countersign/domain/exports';
import { readZip } from '@countersign/test-support/zip/read-zip';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dataOf, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient } from '../test-support/api.ts';
import { givenSubmitted, reviewerOf } from '../test-support/verifications.ts';
import { zipParts } from './zip.ts';

let api: GivenApi;
let client: GivenClient;

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
  await api.countersign.clients.setFileAccess(client.clientId, true);
});

interface Given {
  readonly id: string;
  readonly fileIds: readonly string[];
  readonly version: number;
}

/** A submitted verification with the contents `[0]` and `[1]` of its files. */
async function givenFiles(of = client): Promise<Given> {
  const { id, version } = await givenSubmitted(api, of);
  const { documents } = await api.countersign.verifications.details(of.principal, id);
  const fileIds = documents.map((document) => document.id);
  await Promise.all(
    fileIds.map((fileId, index) =>
      api.files.put({ clientId: of.clientId, verificationId: id, fileId }, Uint8Array.of(index)),
    ),
  );
  return { id, fileIds, version };
}

const ask = (id: string, key = client.key, method = 'GET') =>
  api.request(`/verifications/${id}/export`, { key, method });

async function download(id: string): Promise<Response> {
  return api.app.request(`/api/v1/verifications/${id}/export`, { headers: { 'X-API-Key': client.key } });
}

async function unzipped(id: string) {
  const files = await readZip(new Uint8Array(await (await download(id)).arrayBuffer()));
  const contents = new Map(files.map(({ name, content }) => [name, content]));
  const data = JSON.parse(String(contents.get('data.json'))) as Record<string, unknown>;
  return { names: [...contents.keys()], contents, data };
}

const entries = async () => (await api.storage.audit.read(0, 100)).filter(({ actor }) => actor.kind === 'api_key');

const reject = ({ id: verificationId, version }: Given) =>
  reviewerOf(api, 'staff-7').run(rejectVerification, {
    verificationId,
    version,
    reasonCodes: ['document_glare'],
    message: 'Too bright',
  });

describe('GET /verifications/{id}/export', () => {
  it('200 with a zip of the files and the details, to be saved under a plain name', async () => {
    const given = await givenFiles();
    await reject(given);
    const response = await download(given.id);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="verification-${given.id}.zip"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    await response.body?.cancel();

    const { names, contents, data } = await unzipped(given.id);
    expect(names).toEqual(['files/document_front.jpg', 'files/selfie.jpg', 'data.json']);
    expect([...contents.values()].slice(0, 2)).toEqual([Buffer.of(0), Buffer.of(1)]);
    const details = dataOf(await api.request(`/verifications/${given.id}/details`, { key: client.key }));
    const { verificationUrl: _, documents, ...verification } = details;
    expect(verification).toMatchObject({ decision: { outcome: 'rejected', message: 'Too bright' } });
    expect(data).toEqual({
      formatVersion: 1,
      exportedAt: api.clock.now().toISOString(),
      verification,
      files: (documents as object[]).map((document, index) => ({ path: names[index], ...document })),
      unreadableFiles: [],
      readings: [],
    });
  });

  it('each export leaves one entry in the audit log, before any content is read', async () => {
    const { id } = await givenFiles();
    const read = vi.spyOn(api.files, 'get');
    expect((await ask(id, client.key, 'HEAD')).status).toBe(200);
    expect(await entries()).toMatchObject([
      {
        actor: { kind: 'api_key', id: client.keyId },
        action: 'verifications.export_data',
        outcome: 'allowed',
        clientId: client.clientId,
        targetId: id,
        detail: {},
      },
    ]);
    expect(read).not.toHaveBeenCalled();
    await unzipped(id);
    expect(read).toHaveBeenCalledTimes(2);
    expect((await entries()).length).toBe(2);
  });

  it.each<Permission>(['verifications:read', 'verifications:create'])(
    'a key with only %s: 403 INSUFFICIENT_PERMISSIONS',
    async (permission) => {
      const { id } = await givenFiles();
      const { value } = await api.countersign.apiKeys.issue(client.clientId, { permissions: [permission] });
      expectRefusal(await ask(id, value), 403, 'INSUFFICIENT_PERMISSIONS');
      expect(await entries()).toEqual([]);
    },
  );

  it('switched off: 403 FILES_SWITCHED_OFF with an entry', async () => {
    const { id } = await givenFiles();
    await api.countersign.clients.setFileAccess(client.clientId, false);
    expectRefusal(await ask(id), 403, 'FILES_SWITCHED_OFF');
    expectRefusal(await ask('unknown'), 404, 'VERIFICATION_NOT_FOUND');
    expect(await entries()).toMatchObject([
      { action: 'verifications.export_data', outcome: 'refused', detail: { code: 'FILES_SWITCHED_OFF' } },
    ]);
  });

  it("another client's verification: the same 404 as an unknown id", async () => {
    const { id } = await givenFiles();
    const stranger = await givenClient(api);
    await api.countersign.clients.setFileAccess(stranger.clientId, true);
    const foreign = await ask(id, stranger.key);
    expectRefusal(foreign, 404, 'VERIFICATION_NOT_FOUND');
    expect((await ask('unknown', stranger.key)).body).toEqual(foreign.body);
  });

  it('hidden data: 409 ILLEGAL_TRANSITION with the status', async () => {
    const given = await givenFiles();
    await reject(given);
    await api.countersign.verifications.eraseData(client.principal, given.id);
    const refused = await ask(given.id);
    expectRefusal(refused, 409, 'ILLEGAL_TRANSITION', refused.body.error);
    expect(dataOf(refused)).toEqual({ status: 'rejected' });
  });

  it.each([
    ['missing', async () => null],
    [
      'damaged',
      async (place: EvidencePlace) => {
        throw new EvidenceFault('FILE_DAMAGED', place);
      },
    ],
  ])('a file that is %s is named in INCOMPLETE.txt and data.json, and the rest is there', async (_, get) => {
    const { id, fileIds } = await givenFiles();
    vi.spyOn(api.files, 'get').mockImplementationOnce(get);
    const { names, data } = await unzipped(id);
    expect(names).toEqual(['files/selfie.jpg', 'INCOMPLETE.txt', 'data.json']);
    expect(data).toMatchObject({ files: [{ id: fileIds[1] }], unreadableFiles: [{ id: fileIds[0] }] });
    expect(data.unreadableFiles).not.toMatchObject([{ path: expect.anything() as unknown }]);
  });

  it('a file that cannot be read at the moment breaks the zip off, so that it does not look whole', async () => {
    const { id } = await givenFiles();
    vi.spyOn(api.files, 'get').mockRejectedValueOnce(new CountersignError('SERVICE_UNAVAILABLE', 'disk lost'));
    await expect((await download(id)).arrayBuffer()).rejects.toThrow('The download broke off');
    expect(api.faults).toMatchObject([{ fault: { message: 'disk lost' } }]);
    expect((await unzipped(id)).data.unreadableFiles).toEqual([]);
  });

  it('sends nothing of a file during whose reading access is switched off, which is no fault', async () => {
    const { id } = await givenFiles();
    const get = api.files.get.bind(api.files);
    vi.spyOn(api.files, 'get').mockImplementationOnce(async (place) => {
      await api.countersign.clients.setFileAccess(client.clientId, false);
      return get(place);
    });
    const reader = (await download(id)).body?.getReader();
    await expect(reader?.read()).rejects.toThrow('The download broke off');
    expect(api.faults).toEqual([]);
  });

  // Of the checks: two for each of the two files, one for `data.json`, one at the end.
  it.each([
    ['data.json', 5, false],
    ['the directory of the zip', 6, true],
  ])('breaks off before %s once access is switched off', async (_, check, hasData) => {
    const { id } = await givenFiles();
    const find = api.storage.clients.find.bind(api.storage.clients);
    const reader = (await download(id)).body?.getReader();
    let checks = 0;
    vi.spyOn(api.storage.clients, 'find').mockImplementation(async (clientId) => {
      checks += 1;
      if (checks === check) await api.countersign.clients.setFileAccess(clientId, false);
      return find(clientId);
    });
    let sent = '';
    const readAll = async () => {
      for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
        sent += Buffer.from(next.value).toString('latin1');
      }
    };
    await expect(readAll()).rejects.toThrow('The download broke off');
    expect([sent.includes('"formatVersion"'), sent.includes('PK\x05\x06')]).toEqual([hasData, false]);
  });

  it('reports a fault that breaks it off, with its request', async () => {
    const { id } = await givenFiles();
    const fault = new Error('connection to 10.0.0.7 lost');
    const response = await download(id);
    vi.spyOn(api.storage.verifications, 'find').mockRejectedValueOnce(fault);
    await expect(response.arrayBuffer()).rejects.toThrow(/^The download broke off$/);
    expect(api.faults).toMatchObject([
      { fault, entry: { method: 'GET', path: '/verifications/{id}/export', verificationId: id } },
    ]);
  });

  it('reads a file when the reader asks for it, and none once the reader has left', async () => {
    const { id } = await givenFiles();
    const read = vi.spyOn(api.files, 'get');
    const reader = (await download(id)).body?.getReader();
    expect(read).not.toHaveBeenCalled();
    await reader?.read();
    expect(read).toHaveBeenCalledTimes(1);
    await reader?.cancel();
    expect(read).toHaveBeenCalledTimes(1);
    expect(api.faults).toEqual([]);
  });
});

it.each(['../a.txt', '/a.txt', 'C:a.txt', 'a\\b.txt', 'a//b.txt'])(
  'a zip with the name %j is refused',
  async (name) => {
    async function* unsafe(): AsyncGenerator<ArchiveEntry> {
      yield { name, content: '', lastModified: api.clock.now() };
    }
    await expect(zipParts(unsafe()).next()).rejects.toThrow('unsafe');
  },
);

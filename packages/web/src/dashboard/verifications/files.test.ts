import { askAll } from '@countersign/test-support/service/flow-settings';
import { readZip } from '@countersign/test-support/zip/read-zip';
import { beforeEach, describe, expect, it } from 'vitest';
import { ADA, AGNES, type GivenTeam, givenTeam, VIC } from '../../../test-support/client-team.ts';

const LIST = '/dashboard/verifications';

let given: GivenTeam;
let id: string;
beforeEach(async () => {
  given = await givenTeam();
  await askAll(given.countersign, given.clientId);
  id = await given.submitted();
  await switchAccess(true);
});

const switchAccess = (on: boolean) => given.countersign.clients.setFileAccess(given.principal.clientId, on);
const fileIds = async () =>
  (await given.countersign.verifications.details(given.principal, id)).documents.map((document) => document.id);

describe('files of a verification in the dashboard', () => {
  it('owners and agents view and download each file, and each time is recorded', async () => {
    const [fileId = ''] = await fileIds();
    for (const as of [ADA, AGNES]) {
      const { text, words } = await given.get(`${LIST}/${id}`, as);
      expect(text).toContain(`href="/kyc${LIST}/${id}/files/${fileId}"`);
      expect(words).toMatch(/View Document, front Download Document, front/);
      const { status, headers } = await given.get(`${LIST}/${id}/files/${fileId}`, as);
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toMatch(/^image\//);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Cache-Control')).toBe('no-store');
    }
    expect((await given.auditLines()).filter((line) => line.startsWith('verifications.read_file'))).toEqual([
      'verifications.read_file allowed',
      'verifications.read_file allowed',
    ]);
  });

  it('owners and agents see thumbnails, each of which is recorded as a thumbnail', async () => {
    const ids = await fileIds();
    for (const as of [ADA, AGNES]) {
      const { text } = await given.get(`${LIST}/${id}`, as);
      const shown = [...text.matchAll(/<img src="\/kyc([^"]+\/files\/[^"]+)"/g)].map(([, path = '']) => path);
      expect(shown).toEqual(ids.map((fileId) => `${LIST}/${id}/files/${fileId}/thumbnail`));
      for (const path of shown) {
        const { status, headers } = await given.get(path, as);
        expect([status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
          200,
          'image/jpeg',
          'no-store',
        ]);
      }
    }
    const entries = await given.ports.storage.audit.read(0, 1_000);
    const read = entries.filter(({ action }) => action === 'verifications.read_file');
    expect(read.map(({ actor, detail }) => ({ id: actor.id, ...detail }))).toEqual(
      [ADA, AGNES].flatMap((as) => ids.map((fileId) => ({ id: as, fileId, thumbnail: true }))),
    );
  });

  it('a PDF in the dashboard: the drawn pages are viewed, and the original is downloaded', async () => {
    id = await given.submitted({ type: 'kyb' });
    const { documents } = await given.countersign.verifications.details(given.principal, id);
    const extract = documents.find(({ kind }) => kind === 'registration_extract');
    const address = `${LIST}/${id}/files/${extract?.id}`;
    const { text, words } = await given.get(`${LIST}/${id}`, ADA);
    expect(text).toContain(`href="/kyc${address}/pages/2"`);
    expect(words).toContain('View page 2 of 2 Registration extract Download Registration extract');
    const page = await given.get(`${address}/pages/2`, ADA);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'image/jpeg']);
    expect((await given.get(`${address}/pages/3`, ADA)).status).toBe(404);
    const original = await given.get(address, ADA);
    expect(original.headers.get('Content-Disposition')).toBe('attachment; filename="registration_extract.pdf"');
  });

  it.each(['', '/thumbnail'])('a viewer sees neither link nor thumbnail and gets 403: %s', async (part) => {
    const [fileId] = await fileIds();
    expect((await given.get(`${LIST}/${id}`, VIC)).text).not.toContain('/files/');
    expect((await given.get(`${LIST}/${id}/files/${fileId}${part}`, VIC)).status).toBe(403);
  });

  it.each(['', '/thumbnail'])(
    'switched off: neither links nor thumbnails, and an address of before leads back: %s',
    async (part) => {
      const [fileId] = await fileIds();
      await switchAccess(false);
      expect((await given.get(`${LIST}/${id}`, ADA)).text).not.toContain('/files/');
      const { status, headers } = await given.get(`${LIST}/${id}/files/${fileId}${part}`, ADA);
      expect([status, headers.get('Location')]).toEqual([303, `/kyc${LIST}/${id}`]);
    },
  );

  it('an unknown file and a page that the file does not have get 404', async () => {
    const [fileId] = await fileIds();
    for (const path of ['files/unknown', `files/${fileId}/pages/1`, `files/${fileId}/pages/x`]) {
      expect([path, (await given.get(`${LIST}/${id}/${path}`, ADA)).status]).toEqual([path, 404]);
    }
  });
});

describe('the download of everything', () => {
  const EVERYTHING = 'Download everything';
  const exportPath = () => `${LIST}/${id}/export`;

  it('owners and agents get a zip of the details and all files, and each time is recorded', async () => {
    for (const as of [ADA, AGNES]) {
      const { text, words } = await given.get(`${LIST}/${id}`, as);
      expect(words).toContain(EVERYTHING);
      expect(text).toContain(`action="/kyc${exportPath()}"`);
      const response = await given.ask(exportPath(), as);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="verification-${id}.zip"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      const files = await readZip(new Uint8Array(await response.arrayBuffer()));
      expect(files.map(({ name }) => name)).toEqual([
        'files/document_front.jpg',
        'files/document_back.jpg',
        'files/selfie.jpg',
        'files/proof_of_address.jpg',
        'data.json',
      ]);
      const { verification } = JSON.parse(String(files.at(-1)?.content)) as { verification: object };
      const details = await given.countersign.verifications.details(given.principal, id);
      const { verificationUrl: _, documents: __, ...expected } = details;
      expect(verification).toEqual(JSON.parse(JSON.stringify(expected)));
    }
    expect((await given.auditLines()).filter((line) => line.startsWith('verifications.export_data'))).toEqual([
      'verifications.export_data allowed',
      'verifications.export_data allowed',
    ]);
  });

  it('a viewer sees no button and gets 403', async () => {
    expect((await given.get(`${LIST}/${id}`, VIC)).words).not.toContain(EVERYTHING);
    expect((await given.get(exportPath(), VIC)).status).toBe(403);
  });

  it('switched off: no button, and its address leads back to the verification', async () => {
    await switchAccess(false);
    expect((await given.get(`${LIST}/${id}`, ADA)).words).not.toContain(EVERYTHING);
    const { status, headers } = await given.get(exportPath(), ADA);
    expect([status, headers.get('Location')]).toEqual([303, `/kyc${LIST}/${id}`]);
  });

  it('switched off while it is sent: it breaks off, which is no fault', async () => {
    const response = await given.ask(exportPath(), ADA);
    await switchAccess(false);
    await expect(response.arrayBuffer()).rejects.toThrow('broke off');
    expect(given.faults).toEqual([]);
  });
});

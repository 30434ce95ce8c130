import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import { createMemoryEvidenceStore, createMemoryStorage } from '@countersign/memory';
import { createKeyRing, createSealedEvidenceStore, SEALED_FILE_ADDS } from '@countersign/sealing';
import { expect, test } from 'vitest';
import { FILE_CONTENT, givenSealedVerifications } from '../../test-support/sealed-verifications.ts';
import { examineVerifications } from './verification-findings.ts';

const SECRETS = [Buffer.alloc(32, 1)];
const CLIENT = {
  id: 'client-1',
  name: 'Shop',
  createdAt: new Date(0),
  returnAddresses: [],
  testOf: null,
  fileAccess: false,
  flowSettings: NEW_FLOW_SETTINGS,
  reasonTemplates: NO_TEMPLATES,
};
const PLACE = { clientId: CLIENT.id, verificationId: '0198c0de-0000-7000-8000-000000000000' };

/** Examines a verification whose file has a thumbnail. @param stored sizes of the contents in the store, by their ids */
async function examine(stored: Readonly<Record<string, number>>) {
  const storage = createMemoryStorage();
  await storage.clients.create({ client: CLIENT, subscription: null });
  await givenSealedVerifications(storage, {
    clientId: CLIENT.id,
    count: 1,
    secretKeys: SECRETS,
    fileIds: ['file-1'],
    thumbnails: true,
  });
  const keys = createKeyRing(SECRETS);
  const contents = createMemoryEvidenceStore();
  const sealed = createSealedEvidenceStore(contents, { keys, dataKeys: storage.dataKeys });
  for (const fileId of Object.keys(stored)) await sealed.put({ ...PLACE, fileId }, FILE_CONTENT);
  const files = { contentBytesOf: async () => new Map(Object.entries(stored)) };
  return examineVerifications(storage, { keys, files, contents });
}

const SIZE = FILE_CONTENT.byteLength + SEALED_FILE_ADDS;

test('verification findings: a file and its thumbnail are both looked for', async () => {
  const { facts, lines, problems } = await examine({ 'file-1': SIZE, 'file-1-thumbnail': SIZE });
  expect(facts).toMatchObject({ files: 1, missingFiles: 0, unopenedFiles: 0, lostThumbnails: 0 });
  expect([lines.length, problems]).toEqual([1, []]);
});

test.each([
  ['missing', {}],
  ['of a wrong size', { 'file-1-thumbnail': 1 }],
])('verification findings: a thumbnail that is %s is counted and no problem', async (_what, thumbnail) => {
  const { facts, lines, problems } = await examine({ 'file-1': SIZE, ...thumbnail });
  expect(facts).toMatchObject({ files: 1, missingFiles: 0, damagedFiles: 0, lostThumbnails: 1 });
  expect(lines.at(-1)).toBe('Thumbnails missing or damaged 1: pages show the pictures in their place');
  expect(problems).toEqual([]);
});

import { expect, test } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { actionNeeded, inState, NOW } from '../../test-support/verifications.ts';
import type { EvidenceFile } from '../evidence/evidence-file.ts';
import { createEvidenceKeeper } from '../evidence/evidence-keeper.ts';
import type { EvidenceStore, ReceivedFile } from '../evidence/evidence-store.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { createSubjectFiles } from './subject-files.ts';
import type { Verification } from './verification.ts';
import { toRecord } from './verification-record.ts';

const BEFORE = actionNeeded(['documents'], 'kyb');
const RECEIVED = { content: Uint8Array.of(1, 2), sha256: 'ab'.repeat(32), warnings: [] };

/** Uploads a registration extract. @returns the file, and the bytes in the store */
async function upload(
  received: Pick<ReceivedFile, 'contentType' | 'pages'>,
  {
    present = BEFORE,
    changed = BEFORE,
    fault,
  }: { present?: Verification; changed?: Verification; fault?: Error } = {},
) {
  let stored = new Uint8Array();
  let record = toRecord(BEFORE);
  const put: EvidenceStore['put'] = async (_place, content) => {
    record = toRecord(present);
    if (fault !== undefined) throw fault;
    stored = Uint8Array.from(content);
  };
  const subjectLinks = { forWriting: async () => record };
  const files = createSubjectFiles({
    subjectLinks: { ...subjectLinks, forReading: subjectLinks.forWriting, open: subjectLinks.forWriting },
    flows: BUILT_IN_FLOWS,
    change: async () => changed,
    evidence: createEvidenceKeeper(
      { store: portWith<EvidenceStore>({ put }), intake: { receive: async () => ({ ...RECEIVED, ...received }) } },
      () => undefined,
      async () => undefined,
    ),
    documents: { readUpload: async () => undefined },
    clock: { now: () => NOW },
    ids: { next: () => 'file-1' },
  });
  const access = { verificationId: BEFORE.id, linkVersion: 1 };
  const { file } = await files.uploadFile(access, { step: 'documents', kind: 'registration_extract' }, nothing());
  return { file, stored };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

const FILE: EvidenceFile = {
  id: 'file-1',
  step: 'documents',
  kind: 'registration_extract',
  contentType: 'image/png',
  size: 2,
  sha256: RECEIVED.sha256,
  warnings: [],
  uploadedAt: NOW.toISOString(),
};

test('an uploaded PDF has its number of drawn pages, which are stored with it; its size is that of the PDF', async () => {
  const { file, stored } = await upload({ contentType: 'application/pdf', pages: [Uint8Array.of(3)] });
  expect(file).toEqual({ ...FILE, contentType: 'application/pdf', pages: 1 });
  expect(stored).toEqual(Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 1, 1, 2, 3));
});

test('an uploaded picture has no pages', async () => {
  const { file, stored } = await upload({ contentType: 'image/png' });
  expect(file).toEqual(FILE);
  expect(Object.keys(file)).not.toContain('pages');
  expect(stored).toEqual(RECEIVED.content);
});

test('an uploaded file is returned as the verification has it: marked if the reviewer saw its content', async () => {
  const marked: EvidenceFile = { ...FILE, isUnchanged: true };
  const changed = { ...BEFORE, files: [...BEFORE.files, marked] };
  expect((await upload({ contentType: 'image/png' }, { changed })).file).toEqual(marked);
});

test('a file that cannot be stored: the refusal if the verification was decided meanwhile, else the fault', async () => {
  const fault = new Error('The verification of a new file does not exist');
  await expect(upload({ contentType: 'image/png' }, { fault })).rejects.toBe(fault);
  const decided = upload({ contentType: 'image/png' }, { fault, present: inState('rejected') });
  await expect(decided).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
});

import { beforeEach, expect, test } from 'vitest';
import { collected } from '../../test-support/collected.ts';
import { aReading } from '../../test-support/readings.ts';
import { found, NOW, submitted } from '../../test-support/verifications.ts';
import { EvidenceFault } from '../evidence/evidence-fault.ts';
import type { EvidenceKeeper } from '../evidence/evidence-keeper.ts';
import type { FoundVerification } from '../verification/retained.ts';
import { createClientExports } from './client-exports.ts';

const OF = { clientId: 'client-1', verificationId: 'verification-1' };
const links = { url: () => 'https://verify.example/secret', idIn: () => '', check: () => undefined };

let stored: FoundVerification | null;
let faults: unknown[];
beforeEach(() => {
  [stored, faults] = [found(submitted()), []];
});

/** A file is its id. */
const readId: EvidenceKeeper['read'] = async (_place, file) => ({
  file,
  content: new TextEncoder().encode(file.id),
  contentType: file.contentType,
});

/** Exports what is stored for the client. */
const exporting = (read = readId) =>
  createClientExports({
    files: { open: async () => submitted() },
    findWithData: async () => stored,
    evidence: { read },
    links,
    clock: { now: () => NOW },
    onFault: (fault) => faults.push(fault),
  });

test('open: a verification that the client does not have is not found', async () => {
  stored = null;
  await expect(exporting().open(OF)).rejects.toMatchObject({ code: 'VERIFICATION_NOT_FOUND' });
});

test('open: the data has what was read from the files', async () => {
  const readings = [aReading({ documentNumber: 'L01X00T47' })];
  stored = { ...found(submitted()), readings };
  const { data } = await exporting().open(OF);
  expect(data.readings).toMatchObject([
    { fileId: 'document_front', fields: { documentNumber: { value: 'L01X00T47' } } },
  ]);
});

test('open: the zip has each file, then the data, and names those that are damaged', async () => {
  const damaged = new EvidenceFault('FILE_DAMAGED', { ...OF, fileId: 'selfie' });
  const read: EvidenceKeeper['read'] = async (place, file) => {
    if (file.id === 'selfie') throw damaged;
    return readId(place, file);
  };
  const entries = await collected((await exporting(read).open(OF)).entries);
  expect(entries.map(({ name }) => name)).toEqual([
    'files/document_front.jpg',
    'files/document_back.jpg',
    'files/proof_of_address.jpg',
    'INCOMPLETE.txt',
    'data.json',
  ]);
  expect(entries.at(3)?.content).toContain('- selfie.jpg (selfie)');
  expect(faults).toEqual([damaged]);
});

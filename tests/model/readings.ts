import type { Countersign, DocumentReading, SubjectAccess } from '@countersign/domain';
import type { Storage } from '@countersign/domain/storage';
import fc from 'fast-check';

/** What a reader returns of every picture. */
export const READING: DocumentReading = {
  outcome: 'read',
  readerVersion: 'model',
  fields: { documentNumber: { value: 'C01X00T48', sure: true }, lastName: { value: 'LOVELACE', sure: false } },
  type: 'passport',
  digitsFit: true,
};

/** Reads a picture of the document, as after its upload. */
export interface ReadingCommand {
  readonly kind: 'readDocument';
  readonly client: number;
  readonly verification: number;
}

/** Commands that run alone: one that runs beside a change is stored before or after it. */
export const readingCommands = (clients: number): fc.Arbitrary<ReadingCommand> =>
  fc.record(
    { kind: fc.constant('readDocument' as const), client: fc.nat(clients - 1), verification: fc.constant(0) },
    { noNullPrototype: true },
  );

/** Reads the last picture of the document, or uploads one first. */
export async function runOnReading(
  { subject, readings }: Pick<Countersign, 'readings' | 'subject'>,
  access: SubjectAccess,
): Promise<unknown> {
  const { files } = await subject.read(access);
  const last = files.findLast(({ kind }) => kind === 'document_front');
  const picture = { contentType: 'image/png', size: 7, sha256: 'ef'.repeat(32) } as const;
  const attach = () => subject.attachFile(access, { step: 'document', kind: 'document_front', ...picture });
  const file = last ?? (await attach()).file;
  await readings.readUpload(await subject.read(access), file, new Uint8Array());
  return (await readings.of(await subject.read(access))).length;
}

/** Reads which files have a reading, also where their verification is erased. What was read is sealed in some storages. */
export async function readingsOf(
  { readings }: Storage,
  clientId: string,
  ids: readonly string[],
): Promise<unknown> {
  const found = await Promise.all(ids.map((verificationId) => readings.find({ clientId, verificationId })));
  return found.map((ofOne) => ofOne.map(({ data: _, ...columns }) => columns));
}

import type { ReadField } from '../src/fields/read-fields.ts';
import { canBeSure, type ReadValue } from '../src/reading/document-reading.ts';
import type { StoredReading } from '../src/reading/stored-reading.ts';
import type { Verification } from '../src/verification/verification.ts';
import { file, NOW } from './verifications.ts';

/** Values as a sound reader returns them: names are never sure. */
export function values(read: Partial<Record<ReadField, string>>): Partial<Record<ReadField, ReadValue>> {
  return Object.fromEntries(
    Object.entries(read).map(([name, value]) => [name, { value, sure: canBeSure(name as ReadField) }]),
  );
}

/** A reading of the file of this id in `submitted`, offered before the answers. */
export function aReading(
  read: Partial<Record<ReadField, string>> = {},
  given: Partial<StoredReading> = {},
): StoredReading {
  const { fileId = 'document_front' } = given;
  return {
    clientId: 'client-1',
    verificationId: 'verification-1',
    fileId,
    readerVersion: '1',
    readAt: new Date(NOW.getTime() - 1000),
    outcome: 'read',
    fields: values(read),
    sha256: file('document', 'document_front', fileId).sha256,
    isOffered: true,
    attempts: 1,
    ...given,
  };
}

/** The verification with an uploaded picture that the draft of the document names. */
export function attachedTo<V extends Verification>(verification: V, kind: 'document_front' | 'document_back'): V {
  const path = kind === 'document_front' ? 'frontFileId' : 'backFileId';
  const document = { type: 'id_card', ...verification.drafts.document, [path]: kind };
  return {
    ...verification,
    files: [...verification.files, file('document', kind)],
    drafts: { ...verification.drafts, document },
  };
}

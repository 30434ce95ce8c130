import { VerificationFault } from '../errors.ts';
import type { EvidencePlace } from './evidence-store.ts';

const TEXTS = {
  FILE_MISSING: 'The content of a file is missing: restore it from a backup',
  FILE_DAMAGED: 'The stored content of a file is damaged: restore it from a backup',
  FILE_EXISTS: 'The place of a new file is taken already',
  NO_VERIFICATION: 'The verification of a new file does not exist',
} as const;

/** Reported when the content of a file cannot be read or stored. Names the file and its verification. */
export class EvidenceFault extends VerificationFault {
  override readonly name = 'EvidenceFault';
  readonly code: keyof typeof TEXTS;

  constructor(
    code: keyof typeof TEXTS,
    { verificationId, fileId }: Pick<EvidencePlace, 'verificationId' | 'fileId'>,
    options: ErrorOptions = {},
  ) {
    super(`${TEXTS[code]} (file ${fileId}, verification ${verificationId})`, {
      verificationId,
      fileId,
      ...options,
    });
    this.code = code;
  }
}

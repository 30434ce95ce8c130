import { hash } from 'node:crypto';
import type { EvidenceContentType, EvidenceIntake, IntakeTerms, ReceivedFile } from '@countersign/domain';
import { createDecodeQueue } from './decode-queue.ts';
import { decodeApart } from './decoder-process.ts';
import { fileDamaged, pictureTooHeavy, pictureTooLarge } from './refusals.ts';
import { release } from './release.ts';
import { createSpool, type SpooledUpload } from './spool.ts';
import { typeOfUpload } from './upload-type.ts';

export interface EvidenceIntakeOptions {
  /** Folder for encrypted uploads that wait. Created if it is missing. */
  readonly spoolDirectory: string;
  /** Number of pictures decoded at once, over all uploads. Default: 2. */
  readonly decodesAtOnce?: number;
}

/** Pictures as they come in, by content type; what is kept of them is JPEG. */
const FORMATS = { 'image/jpeg': 'jpeg', 'image/png': 'png', 'image/webp': 'webp' } as const;

/**
 * Creates an intake that checks uploads by their content and redraws pictures. An attacker may have made any upload:
 * memory stays bounded for any number of concurrent uploads, and nothing of a refused upload is kept.
 *
 * Uploads are read at the pace of their senders and enter the queue only when they are complete. The caller limits how
 * long an upload may take. `receive` rethrows errors of the upload.
 * @throws Error if the spool folder cannot be used
 */
export function createEvidenceIntake({
  spoolDirectory,
  decodesAtOnce = 2,
}: EvidenceIntakeOptions): EvidenceIntake {
  const spool = createSpool(spoolDirectory);
  const queue = createDecodeQueue(decodesAtOnce);

  async function judge(upload: SpooledUpload, terms: IntakeTerms): Promise<ReceivedFile> {
    const first = await queue.run(1, () => tryToReceive(upload, terms, false), terms.sender);
    // A picture that needs much memory is decoded while no other is.
    const file = first ?? (await queue.run(decodesAtOnce, () => tryToReceive(upload, terms, true), terms.sender));
    if (file === null) throw new Error('A picture was refused for lack of a leave that was given.');
    return file;
  }

  return {
    async receive(upload, terms) {
      const spooled = await spool.take(upload);
      try {
        return await judge(spooled, terms);
      } finally {
        await spooled.discard();
      }
    },
  };
}

/** Returns the file; null for a picture that needs full decoding, if that was not allowed. */
async function tryToReceive(
  upload: SpooledUpload,
  accepted: { readonly pdf: boolean },
  whole: boolean,
): Promise<ReceivedFile | null> {
  const content = await upload.read();
  const type = await typeOfUpload(content, accepted);
  if (type === 'application/pdf') return received(content, type, []);

  const { answer, picture } = await decodeApart({ content, format: FORMATS[type], whole }).finally(() => {
    release(content);
  });
  switch (answer.outcome) {
    case 'drawn':
      return received(picture, 'image/jpeg', answer.warnings);
    case 'whole':
      return null;
    case 'damaged':
      throw fileDamaged('picture');
    case 'too_large':
      throw pictureTooLarge();
    case 'too_heavy':
      throw pictureTooHeavy();
    default:
      return answer satisfies never;
  }
}

function received(
  content: Uint8Array,
  contentType: EvidenceContentType,
  warnings: ReceivedFile['warnings'],
): ReceivedFile {
  return { content, contentType, sha256: hash('sha256', content), warnings };
}

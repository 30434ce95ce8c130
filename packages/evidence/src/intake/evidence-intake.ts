import { hash } from 'node:crypto';
import type { EvidenceContentType, EvidenceIntake, IntakeTerms, ReceivedFile } from '@countersign/domain';
import { fileDamaged, fileEncrypted, fileTooComplex, pictureTooLarge } from '../refusals.ts';
import { checkStructure } from '../structure/check-structure.ts';
import type { PictureStructure } from '../structure/picture-structure.ts';
import { DECODE_DEADLINE_MS } from './decode-deadline.ts';
import { createDecodeQueue } from './decode-queue.ts';
import type { Decoded } from './decoder-output.ts';
import { decodeApart } from './decoder-process.ts';
import { release } from './release.ts';
import { createSenderPauses } from './sender-pauses.ts';
import { createSpool, type SpooledUpload } from './spool.ts';
import { typeOfUpload } from './upload-type.ts';

export interface EvidenceIntakeOptions {
  /** Folder for encrypted uploads that wait. Created if it is missing. */
  readonly spoolDirectory: string;
  /** Number of pictures decoded at once, over all uploads. Large ones leave one place to others. Default: 2. */
  readonly decodesAtOnce?: number;
  /** Processor time in milliseconds after which decoding one file is stopped. Default: 10,000. */
  readonly decodeDeadlineMs?: number;
  /** A clock in milliseconds that never goes back. Default: `performance.now`. */
  readonly now?: () => number;
}

/** What the decoder of an intake is doing, for metrics. */
export interface DecoderStats {
  /** Files that wait for the decoder. */
  readonly waiting: number;
  /** Files that are decoded now. */
  readonly running: number;
  /** Files whose decoding was stopped at the deadline, since the start. */
  readonly killed: number;
}

/** An intake that decodes pictures, with figures about it. */
export interface DecodingIntake extends EvidenceIntake {
  stats(): DecoderStats;
}

/** Files as they come in, by content type. What is kept of pictures is JPEG. */
const FORMATS = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
} as const;

/** Number of uploads whose structure is checked at once. Each is read into memory for some milliseconds. */
const CHECKS_AT_ONCE = 2;

/** Pixels from which a picture is heavy. Phones take photos of 12 megapixels. */
const LIGHT_MAX_PIXELS = 16_000_000;

/** Memory for pixels from which a picture is heavy: 12 megapixels of a WebP. */
const LIGHT_MAX_HELD_BYTES = 48_000_000;

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
  decodeDeadlineMs = DECODE_DEADLINE_MS,
  now = () => performance.now(),
}: EvidenceIntakeOptions): DecodingIntake {
  const spool = createSpool(spoolDirectory);
  const checks = createDecodeQueue(CHECKS_AT_ONCE, now);
  const decodes = createDecodeQueue(decodesAtOnce, now);
  const pauses = createSenderPauses(now);
  let killed = 0;

  async function judge(upload: SpooledUpload, terms: IntakeTerms): Promise<ReceivedFile> {
    const { sender } = terms;
    const { type, isHeavy } = await checks.run({ sender, isHeavy: false }, () => check(upload, terms));
    return decodes.run({ sender, isHeavy }, async () => {
      pauses.requireNone(sender);
      const decoded = await decodeApart({
        content: await upload.read(),
        format: FORMATS[type],
        deadlineMs: decodeDeadlineMs,
      });
      if (decoded !== null) return received(decoded, type, upload);
      killed++;
      pauses.begin(sender);
      throw fileTooComplex(whatIs(type));
    });
  }

  return {
    async receive(upload, terms) {
      pauses.requireNone(terms.sender);
      const spooled = await spool.take(upload);
      try {
        return await judge(spooled, terms);
      } finally {
        await spooled.discard();
      }
    },
    stats: () => ({ ...decodes.stats(), killed }),
  };
}

/** Determines the type of an upload and checks its structure. */
async function check(
  upload: SpooledUpload,
  accepted: { readonly pdf: boolean },
): Promise<{ readonly type: EvidenceContentType; readonly isHeavy: boolean }> {
  const content = await upload.read();
  try {
    const type = await typeOfUpload(content, accepted);
    const isHeavy = type === 'application/pdf' || isHeavyPicture(checkStructure(content, type, accepted));
    return { type, isHeavy };
  } finally {
    release(content);
  }
}

function isHeavyPicture({ width, height, heldBytes, isCmyk }: PictureStructure): boolean {
  return heldBytes > LIGHT_MAX_HELD_BYTES || isCmyk || width * height > LIGHT_MAX_PIXELS;
}

/** Returns the accepted file. @throws CountersignError for a file that the decoder refused */
async function received(
  { answer, pictures }: Decoded,
  type: EvidenceContentType,
  upload: SpooledUpload,
): Promise<ReceivedFile> {
  const { outcome } = answer;
  switch (outcome) {
    case 'drawn':
      return fileOf(pictures, 'image/jpeg', answer.warnings);
    case 'pages':
      return { ...fileOf(await upload.read(), type, answer.warnings), pages: split(pictures, answer.sizes) };
    case 'damaged':
      throw fileDamaged(whatIs(type));
    case 'too_large':
      throw pictureTooLarge();
    case 'too_complex':
      throw fileTooComplex(whatIs(type));
    case 'encrypted':
      throw fileEncrypted();
    default:
      return outcome satisfies never;
  }
}

function fileOf(
  content: Uint8Array,
  contentType: EvidenceContentType,
  warnings: ReceivedFile['warnings'],
): ReceivedFile {
  return { content, contentType, sha256: hash('sha256', content), warnings };
}

function split(pictures: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  let end = 0;
  return sizes.map((size) => {
    end += size;
    return pictures.subarray(end - size, end);
  });
}

function whatIs(type: EvidenceContentType): 'picture' | 'document' {
  return type === 'application/pdf' ? 'document' : 'picture';
}

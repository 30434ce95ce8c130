import { hash } from 'node:crypto';
import type { CountersignError } from '@countersign/domain';
import type { Logo, LogoIntake } from '@countersign/domain/clients';
import {
  EVIDENCE_MAX_BYTES,
  type EvidenceContentType,
  type EvidenceIntake,
  type IntakeTerms,
  type ReceivedFile,
} from '@countersign/domain/evidence';
import type { Refusal } from '../decoder/answer.ts';
import { isHeicInstalled } from '../decoder/heic-package.ts';
import {
  type AcceptedTypes,
  documentTooLarge,
  fileDamaged,
  fileEncrypted,
  fileTooComplex,
  pictureTooLarge,
  pictureTooSmall,
} from '../refusals.ts';
import { checkStructure, requireReadable } from '../structure/check-structure.ts';
import { createDecodeQueue, type Slots, type Weight } from './decode-queue.ts';
import type { Decoded } from './decoder-output.ts';
import { DECODE_DEADLINE_MS, decodeApart } from './decoder-process.ts';
import { weightOf } from './picture-weight.ts';
import { createSenderPauses } from './sender-pauses.ts';
import { createSenderUse } from './sender-use.ts';
import { createSpool, type SpooledUpload } from './spool.ts';
import { withTemporaryBytes } from './temporary-bytes.ts';
import { typeOfUpload, type UploadType } from './upload-type.ts';

/** Options of `createEvidenceIntake`. */
export interface EvidenceIntakeOptions {
  /** Folder for encrypted uploads that wait. Created if it is missing. */
  readonly spoolDirectory: string;
  /** Number of files decoded at once, over all uploads. One place is kept for photos and one for small pictures. Default: 3. */
  readonly decodesAtOnce?: number;
  /** Processor time in milliseconds after which decoding one file is stopped. Default: 10,000. */
  readonly decodeDeadlineMs?: number;
  /** Whether HEIC is decoded. Default: whether the optional package `heic-decode` is installed. */
  readonly acceptsHeic?: boolean;
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

/** An intake that decodes pictures and logos, with figures about it. */
export interface DecodingIntake extends EvidenceIntake, LogoIntake {
  stats(): DecoderStats;
}

/** Files as they come in, by content type. What is kept of pictures is JPEG. */
const FORMATS = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'application/pdf': 'pdf',
} as const;

/** Number of uploads whose structure is checked at once. Each is read into memory for some milliseconds. */
const CHECKS_AT_ONCE: Slots = { small: 3, light: 2, heavy: 1 };

/** Largest uploads whose check counts as small or light. The check of a larger one leaves slots free for these. */
const SMALL_CHECK_MAX_BYTES = 4_000_000;
const LIGHT_CHECK_MAX_BYTES = 12_000_000;

function checkWeightOf({ size }: SpooledUpload): Weight {
  if (size > LIGHT_CHECK_MAX_BYTES) return 'heavy';
  return size > SMALL_CHECK_MAX_BYTES ? 'light' : 'small';
}

/** How much a decoder leaves the processor to others. Heavy jobs still get a tenth of it beside others. */
const NICENESS: Readonly<Record<Weight, number>> = { small: 0, light: 0, heavy: 10 };

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
  decodesAtOnce = 3,
  decodeDeadlineMs = DECODE_DEADLINE_MS,
  acceptsHeic = isHeicInstalled(),
  now = () => performance.now(),
}: EvidenceIntakeOptions): DecodingIntake {
  const spool = createSpool(spoolDirectory);
  const use = createSenderUse(now);
  const checks = createDecodeQueue(CHECKS_AT_ONCE, use);
  const decodes = createDecodeQueue(slotsOf(decodesAtOnce), use);
  const pauses = createSenderPauses(now);
  let killed = 0;

  /** Checks an upload and decodes it in its turn. */
  async function judge(
    upload: SpooledUpload,
    terms: JudgeTerms,
  ): Promise<{ readonly decoded: Decoded; readonly type: UploadType }> {
    const { sender, requireSender } = terms;
    const { type, weight } = await checks.run({ sender, weight: checkWeightOf(upload) }, async () => {
      requireSender?.();
      return withTemporaryBytes(upload.size, async (bytes) => check(await upload.readInto(bytes), terms));
    });
    return decodes.run({ sender, weight }, async (counted) => {
      requireSender?.();
      pauses.requireNone(sender);
      const { decoded, usedMs } = await decodeApart({
        content: upload.parts(),
        size: upload.size,
        format: FORMATS[type],
        asLogo: terms.asLogo,
        deadlineMs: decodeDeadlineMs,
        niceness: NICENESS[counted],
      });
      use.add(sender, usedMs);
      if (decoded !== null) return { decoded, type };
      killed++;
      pauses.begin(sender);
      throw fileTooComplex(whatIs(type));
    });
  }

  /** Passes an upload on once it is complete, and keeps nothing of it. */
  async function spooled<T>(
    upload: AsyncIterable<Uint8Array>,
    sender: string | undefined,
    use: (upload: SpooledUpload) => Promise<T>,
  ): Promise<T> {
    pauses.requireNone(sender);
    const taken = await spool.take(upload);
    try {
      return await use(taken);
    } finally {
      await taken.discard();
    }
  }

  return {
    receive: (content, terms) =>
      spooled(content, terms.sender, async (upload) => {
        const { decoded, type } = await judge(upload, { ...terms, heic: acceptsHeic || 'undecodable' });
        return received(decoded, type, upload);
      }),

    receiveLogo: ({ content, requireSender }, sender) =>
      spooled(content, sender, async (upload) => {
        const { decoded } = await judge(upload, { pdf: false, sender, requireSender, asLogo: true });
        return logoOf(decoded);
      }),

    stats: () => ({ ...decodes.stats(), killed }),
  };
}

interface JudgeTerms extends IntakeTerms, AcceptedTypes {
  /** Whether the picture is drawn as a logo, which may have any size. Default false. */
  readonly asLogo?: boolean;
}

/** Determines the type of an upload and checks its structure. */
async function check(
  content: Uint8Array,
  terms: JudgeTerms,
): Promise<{ readonly type: UploadType; readonly weight: Weight }> {
  const type = await typeOfUpload(content, terms);
  if (type === 'application/pdf') {
    if (content.byteLength > EVIDENCE_MAX_BYTES) throw documentTooLarge();
    return { type, weight: 'heavy' };
  }
  const structure = checkStructure(content, type, terms);
  if (terms.asLogo !== true) requireReadable(structure);
  return { type, weight: weightOf(structure) };
}

function slotsOf(decodesAtOnce: number): Slots {
  const light = Math.max(1, decodesAtOnce - 1);
  return { small: decodesAtOnce, light, heavy: Math.max(1, light - 1) };
}

/** Returns the accepted file. @throws CountersignError for a file that the decoder refused */
async function received(
  { answer, pictures }: Decoded,
  type: UploadType,
  upload: SpooledUpload,
): Promise<ReceivedFile> {
  const { outcome } = answer;
  switch (outcome) {
    case 'logo':
      throw new Error('The decoder drew a logo of a file');
    case 'drawn': {
      const [picture = pictures, thumbnail] = split(pictures, answer.sizes);
      return { ...fileOf(picture, 'image/jpeg', answer.warnings), ...thumbnailOf(thumbnail) };
    }
    case 'pages': {
      const drawn = split(pictures, answer.sizes);
      const file = fileOf(await upload.readInto(new Uint8Array(upload.size)), 'application/pdf', answer.warnings);
      return { ...file, pages: drawn.slice(0, -1), ...thumbnailOf(drawn.at(-1)) };
    }
    default:
      throw refused(outcome, whatIs(type));
  }
}

/** Returns the accepted logo. @throws CountersignError for a file that the decoder refused */
function logoOf({ answer, pictures: content }: Decoded): Logo {
  const { outcome } = answer;
  switch (outcome) {
    case 'logo':
      return { id: hash('sha256', content), width: answer.width, height: answer.height, content };
    case 'drawn':
    case 'pages':
      throw new Error('The decoder drew a file of a logo');
    default:
      throw refused(outcome, 'picture');
  }
}

function refused(refusal: Refusal, what: 'picture' | 'document'): CountersignError {
  switch (refusal) {
    case 'damaged':
      return fileDamaged(what);
    case 'too_large':
      return pictureTooLarge();
    case 'too_small':
      return pictureTooSmall();
    case 'too_complex':
      return fileTooComplex(what);
    case 'encrypted':
      return fileEncrypted();
    default:
      return refusal satisfies never;
  }
}

function fileOf(
  content: Uint8Array,
  contentType: EvidenceContentType,
  warnings: ReceivedFile['warnings'],
): ReceivedFile {
  return { content, contentType, sha256: hash('sha256', content), warnings };
}

function thumbnailOf(content: Uint8Array | undefined): Pick<ReceivedFile, 'thumbnail'> {
  return content === undefined ? {} : { thumbnail: { content, sha256: hash('sha256', content) } };
}

function split(pictures: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  let end = 0;
  return sizes.map((size) => {
    end += size;
    return pictures.subarray(end - size, end);
  });
}

function whatIs(type: UploadType): 'picture' | 'document' {
  return type === 'application/pdf' ? 'document' : 'picture';
}

import { CountersignError } from '@countersign/domain';
import {
  EVIDENCE_MAX_BYTES,
  PICTURE_MAX_PIXELS,
  PICTURE_MIN_SIDE,
  UPLOAD_MAX_BYTES,
} from '@countersign/domain/evidence';

const MEBIBYTE = 1024 * 1024;

export function fileEmpty(): CountersignError {
  return new CountersignError('FILE_EMPTY');
}

export function fileTooLarge(): CountersignError {
  return new CountersignError(
    'FILE_TOO_LARGE',
    `The file is larger than ${UPLOAD_MAX_BYTES / MEBIBYTE} MB. Choose a smaller one.`,
  );
}

/** A PDF is kept byte for byte, so it may not be larger than what is stored. */
export function documentTooLarge(): CountersignError {
  return new CountersignError(
    'DOCUMENT_TOO_LARGE',
    `The PDF is larger than ${EVIDENCE_MAX_BYTES / MEBIBYTE} MB. Save it in a smaller size.`,
  );
}

/** What an upload may be. */
export interface AcceptedTypes {
  readonly pdf: boolean;
  /** Whether HEIC is accepted; `undecodable` if it would be with a decoder. Default false. */
  readonly heic?: boolean | 'undecodable';
}

/** @param what the refused kind of file in plain words: `An SVG drawing` */
export function fileTypeRefused(what: string, { pdf, heic = false }: AcceptedTypes): CountersignError {
  const picture = `a JPEG, ${heic === true ? 'PNG, WebP or HEIC' : 'PNG or WebP'} picture`;
  const kinds = pdf ? `${picture} or a PDF document` : picture;
  return new CountersignError('FILE_TYPE_REFUSED', `${what} is not accepted. Upload ${kinds}.`);
}

/** No decoder for HEIC is installed. */
export function heicRefused(): CountersignError {
  return new CountersignError('HEIC_REFUSED');
}

export function fileDamaged(what: 'picture' | 'document'): CountersignError {
  return new CountersignError(
    'FILE_DAMAGED',
    `The ${what} is damaged or incomplete and cannot be read. Choose another file.`,
  );
}

export function pictureTooLarge(): CountersignError {
  const megapixels = PICTURE_MAX_PIXELS / 1_000_000;
  return new CountersignError(
    'PICTURE_TOO_LARGE',
    `The picture has more than ${megapixels} megapixels. Save it in a smaller size.`,
  );
}

export function pictureTooSmall(): CountersignError {
  return new CountersignError(
    'PICTURE_TOO_SMALL',
    `The shorter side of the picture has fewer than ${PICTURE_MIN_SIDE} pixels. Take it at a higher resolution.`,
  );
}

export function fileEncrypted(): CountersignError {
  return new CountersignError('FILE_ENCRYPTED');
}

/** Opening the file would take too much memory or time for its size. */
export function fileTooComplex(what: 'picture' | 'document'): CountersignError {
  return new CountersignError(
    'FILE_TOO_COMPLEX',
    `The ${what} is stored in a way that takes too much memory or time to open. Save it again as ${
      what === 'picture' ? 'an ordinary JPEG' : 'a smaller PDF'
    }.`,
  );
}

/** An earlier file of the sender was stopped at the decoder's deadline. */
export function uploadsPaused(retryAfterSeconds: number): CountersignError {
  return new CountersignError(
    'UPLOADS_PAUSED',
    `An earlier file took too long to open. Wait ${retryAfterSeconds} s, then upload another file.`,
    { data: { retryAfterSeconds } },
  );
}

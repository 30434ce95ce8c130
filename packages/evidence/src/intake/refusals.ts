import { CountersignError, EVIDENCE_MAX_BYTES, PICTURE_MAX_PIXELS } from '@countersign/domain';
import { PICTURE_MAX_SIDE } from '../decoder/limits.ts';

const MEBIBYTE = 1024 * 1024;

export function fileEmpty(): CountersignError {
  return new CountersignError('FILE_EMPTY');
}

export function fileTooLarge(): CountersignError {
  return new CountersignError(
    'FILE_TOO_LARGE',
    `The file is larger than ${EVIDENCE_MAX_BYTES / MEBIBYTE} MB. Choose a smaller one.`,
  );
}

/** @param what the refused kind of file in plain words: `An SVG drawing` */
export function fileTypeRefused(what: string, accepted: { readonly pdf: boolean }): CountersignError {
  const kinds = accepted.pdf ? 'a JPEG, PNG or WebP picture or a PDF document' : 'a JPEG, PNG or WebP picture';
  return new CountersignError('FILE_TYPE_REFUSED', `${what} is not accepted. Upload ${kinds}.`);
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
    `The picture has more than ${megapixels} megapixels or is longer than ${PICTURE_MAX_SIDE} pixels. Save it smaller.`,
  );
}

/** The picture is within the limits, but its encoding needs several copies of it in memory. */
export function pictureTooHeavy(): CountersignError {
  return new CountersignError(
    'PICTURE_TOO_LARGE',
    'The picture needs too much memory to be opened. Save it smaller, or without progressive or interlaced storage.',
  );
}

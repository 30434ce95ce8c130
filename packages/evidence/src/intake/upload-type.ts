import type { EvidenceContentType } from '@countersign/domain/evidence';
import { type AcceptedTypes, fileTypeRefused, heicRefused } from '../refusals.ts';
import { judgePdf } from './judge-pdf.ts';

/** Number of bytes that file-type reads. The limit also keeps it from unpacking archives. */
const SAMPLE_BYTES = 4100;

/** Content type of an upload. What is kept of a HEIC is JPEG. */
export type UploadType = EvidenceContentType | 'image/heic';

const CONTENT_TYPES: Readonly<Record<string, UploadType>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  heic: 'image/heic',
  pdf: 'application/pdf',
};

/** Common types of uploads in plain words. Other types are named by their usual file extension. */
const NAMES: Readonly<Record<string, string>> = {
  apng: 'An animated PNG picture',
  gif: 'A GIF picture',
  heic: 'A HEIC picture',
  avif: 'An AVIF picture',
  tif: 'A TIFF picture',
  pdf: 'A PDF document',
};

/**
 * Determines the type of an upload by its content.
 * @throws CountersignError `FILE_TYPE_REFUSED`, `HEIC_REFUSED`, or `FILE_DAMAGED` for a PDF without its end
 */
export async function typeOfUpload(content: Uint8Array, accepted: AcceptedTypes): Promise<UploadType> {
  const { fileTypeFromBuffer } = await import('file-type');
  const sample = content.subarray(0, SAMPLE_BYTES);
  const ending = (await fileTypeFromBuffer(sample))?.ext;
  if (ending === undefined) throw fileTypeRefused(nameOfText(sample), accepted);

  const type = CONTENT_TYPES[ending];
  const { pdf, heic = false } = accepted;
  if (type === 'image/heic' && heic === 'undecodable') throw heicRefused();
  if (type === undefined || (type === 'application/pdf' && !pdf) || (type === 'image/heic' && heic === false)) {
    throw fileTypeRefused(
      NAMES[ending] ?? (ending === 'xml' ? nameOfText(sample) : `A file of type ${ending}`),
      accepted,
    );
  }
  if (type === 'application/pdf') judgePdf(content, accepted);
  return type;
}

function nameOfText(sample: Uint8Array): string {
  const text = new TextDecoder('latin1').decode(sample);
  if (/<svg[\s>]/i.test(text)) return 'An SVG drawing';
  if (/<(?:!doctype\s+html|html|head|body|script)[\s>]/i.test(text)) return 'A web page';
  return 'This kind of file';
}

import { type AcceptedTypes, fileDamaged, fileTypeRefused } from '../refusals.ts';
import { hasZipDirectory } from './zip-directory.ts';

/** Number of bytes searched for a web page: browsers guess a type from no more (WHATWG MIME Sniffing, 7). */
const HEAD_BYTES = 1445;
/** Maximum number of bytes after the last end mark (PDF 1.7, implementation note 18). */
const TAIL_BYTES = 1024;

/**
 * Checks that a PDF, which is kept byte for byte, is no other format as well: it begins with `%PDF-`, has only white
 * space after its last `%%EOF`, no web page in its head, and no ZIP anywhere.
 * @throws CountersignError `FILE_TYPE_REFUSED`; `FILE_DAMAGED` if the end is missing
 */
export function judgePdf(content: Uint8Array, accepted: AcceptedTypes): void {
  const latin1 = new TextDecoder('latin1');
  const head = latin1.decode(content.subarray(0, HEAD_BYTES));
  if (!/^%PDF-[12]\.\d/.test(head)) throw fileTypeRefused('A file that only contains a PDF document', accepted);
  if (/<(?:!doctype|html|head|body|script|iframe|svg|\?php)[\s>]/i.test(head)) {
    throw fileTypeRefused('A PDF document that is also a web page', accepted);
  }

  const tail = latin1.decode(content.subarray(-TAIL_BYTES));
  const end = tail.lastIndexOf('%%EOF');
  if (end === -1) throw fileDamaged('document');
  if (!isFiller(tail.slice(end + '%%EOF'.length))) {
    throw fileTypeRefused('A PDF document with something else behind it', accepted);
  }
  if (hasZipDirectory(content)) throw fileTypeRefused('A PDF document that is also a ZIP archive', accepted);
}

/** White space, and the padding of some old writers. */
function isFiller(text: string): boolean {
  return text.replaceAll('\0', '').replaceAll('\u001a', '').trim() === '';
}

import { type FilePart, fileNameOf } from '@countersign/domain/evidence';
import { partsOf } from '@countersign/domain/exports';
import type { Download } from './download.ts';

/** Makes the download of an uploaded file or a page of it. A picture is shown, a PDF saved. Runs no script and is not cached. */
export function fileDownload({ file, content, contentType }: FilePart): Download {
  const disposition = contentType === 'application/pdf' ? 'attachment' : 'inline';
  return {
    parts: partsOf(content),
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(content.byteLength),
      'Content-Disposition': `${disposition}; filename="${fileNameOf({ ...file, contentType })}"`,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': FILE_POLICY,
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  };
}

/** Allows inline styles because browsers show a single picture in a page of their own that has some. */
const FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

import { type FilePart, fileNameOf } from '@countersign/domain/evidence';

/** Answers with an uploaded file or a page of it. A picture is shown, a PDF downloaded. Runs no script and is not cached. */
export function fileAnswer({ file, content, contentType }: FilePart): Response {
  const disposition = contentType === 'application/pdf' ? 'attachment' : 'inline';
  return new Response(Uint8Array.from(content), {
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(content.byteLength),
      'Content-Disposition': `${disposition}; filename="${fileNameOf({ ...file, contentType })}"`,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': FILE_POLICY,
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    },
  });
}

/** Allows inline styles because browsers show a single picture in a page of their own that has some. */
const FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

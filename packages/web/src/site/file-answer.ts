import type { EvidenceFile } from '@countersign/domain';

/**
 * The answer with a file that somebody uploaded. A picture is shown, a PDF is only ever downloaded: whatever it is, it
 * runs nothing and is kept by no cache.
 */
export function fileAnswer({ file, content }: { file: EvidenceFile; content: Uint8Array }): Response {
  const { contentType, kind } = file;
  const disposition = contentType === 'application/pdf' ? 'attachment' : 'inline';
  return new Response(Uint8Array.from(content), {
    headers: {
      'Content-Type': contentType,
      'Content-Length': String(content.byteLength),
      'Content-Disposition': `${disposition}; filename="${kind}.${ENDINGS[contentType]}"`,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': FILE_POLICY,
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    },
  });
}

/** Browsers put a picture that is opened alone into a page of their own, with inline styles. */
const FILE_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const ENDINGS: Readonly<Record<EvidenceFile['contentType'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};

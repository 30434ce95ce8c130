import { createHash } from 'node:crypto';
import { CountersignError } from '@countersign/domain';
import type { LogoIntake } from '@countersign/domain/clients';
import { EVIDENCE_MAX_BYTES, type EvidenceContentType, type EvidenceIntake } from '@countersign/domain/evidence';

/**
 * Accepts files by their first bytes, without decoding them and without warnings. For tests and trials only: it keeps whatever a
 * hostile upload hides.
 *
 * @example
 * const intake = createTrustingIntake();
 * await intake.receive(upload, { pdf: false }); // { content, contentType: 'image/jpeg', sha256, warnings: [] }
 */
export function createTrustingIntake(): EvidenceIntake & LogoIntake {
  return {
    async receive(upload, { pdf }) {
      const content = await readWhole(upload);
      const contentType = typeOf(content);
      if (contentType === null || (contentType === 'application/pdf' && !pdf)) {
        throw new CountersignError('FILE_TYPE_REFUSED');
      }
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { content, contentType, sha256, warnings: [] };
    },

    async receiveLogo(upload) {
      const content = await readWhole(upload.content);
      // The size of the first picture in a PNG (RFC 2083, section 4.1.1). Others would have to be decoded.
      if (typeOf(content) !== 'image/png') throw new CountersignError('FILE_TYPE_REFUSED');
      const view = new DataView(content.buffer, content.byteOffset);
      const id = createHash('sha256').update(content).digest('hex');
      return { id, width: view.getUint32(16), height: view.getUint32(20), content };
    },
  };
}

async function readWhole(upload: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of upload) {
    size += chunk.length;
    if (size > EVIDENCE_MAX_BYTES) throw new CountersignError('FILE_TOO_LARGE');
    chunks.push(chunk);
  }
  if (size === 0) throw new CountersignError('FILE_EMPTY');
  return new Uint8Array(Buffer.concat(chunks));
}

function typeOf(content: Uint8Array): EvidenceContentType | null {
  const head = Buffer.from(content.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp';
  return head.startsWith('%PDF-') ? 'application/pdf' : null;
}

import { EVIDENCE_MAX_BYTES } from '@countersign/domain/evidence';
import { expect, it } from 'vitest';
import { createTrustingIntake } from './trusting-intake.ts';

const intake = createTrustingIntake();
const withCode = (code: string) => expect.objectContaining({ code });
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

async function* upload(...chunks: readonly Uint8Array[]) {
  yield* chunks;
}

it.each([
  ['image/jpeg', '\u00ff\u00d8\u00ff\u00e0'],
  ['image/png', '\u0089PNG\r\n\u001a\n'],
  ['image/webp', 'RIFF1234WEBPVP8 '],
  ['application/pdf', '%PDF-1.7'],
])('recognises %s by its first bytes and stores it unchanged', async (contentType, text) => {
  const received = await intake.receive(upload(bytes(text.slice(0, 3)), bytes(text.slice(3))), { pdf: true });
  expect(received).toMatchObject({ contentType, content: bytes(text), warnings: [] });
  expect(received.sha256).toMatch(/^[0-9a-f]{64}$/);
});

it.each([
  ['FILE_EMPTY', []],
  ['FILE_TYPE_REFUSED', [bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')]],
  ['FILE_TYPE_REFUSED', [bytes('%PDF-1.7')]],
  ['FILE_TOO_LARGE', [bytes('%PDF-'), new Uint8Array(EVIDENCE_MAX_BYTES)]],
])('refuses with %s', async (code, chunks) => {
  await expect(intake.receive(upload(...chunks), { pdf: false })).rejects.toThrow(withCode(code));
});

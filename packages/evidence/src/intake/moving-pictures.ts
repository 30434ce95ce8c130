const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum around the data of each chunk. */
const PNG_CHUNK_FRAME_BYTES = 12;

/**
 * Whether a PNG is animated: then `acTL` comes before the first `IDAT` (PNG 3rd edition, 11.3.6.1). Reads all chunks
 * before it, because an attacker can insert chunks to push `acTL` beyond a sample.
 */
export function isAnimatedPng(content: Uint8Array): boolean {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  let offset = PNG_SIGNATURE_BYTES;
  while (offset + PNG_CHUNK_FRAME_BYTES <= content.byteLength) {
    const type = String.fromCharCode(...content.subarray(offset + 4, offset + 8));
    if (type === 'acTL') return true;
    if (type === 'IDAT' || type === 'IEND') return false;
    offset += PNG_CHUNK_FRAME_BYTES + view.getUint32(offset);
  }
  return false;
}

/** Whether a WebP is animated, by its extended header (RFC 9649, section 2.7.1). */
export function isAnimatedWebp(content: Uint8Array): boolean {
  const isExtended = String.fromCharCode(...content.subarray(12, 16)) === 'VP8X';
  return isExtended && ((content[20] ?? 0) & 0b10) !== 0;
}

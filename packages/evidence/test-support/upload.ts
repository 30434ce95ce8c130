/** Content as it would arrive from the network, piece by piece. */
export async function* upload(content: Uint8Array, pieceBytes = 16 * 1024): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < content.byteLength; offset += pieceBytes) {
    yield await Promise.resolve(content.subarray(offset, offset + pieceBytes));
  }
}

/** A document of one empty page. */
export function pdf(comment = ''): Uint8Array {
  return Buffer.from(
    `%PDF-1.4\n${comment}1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n` +
      'trailer\n<< /Root 1 0 R /Size 3 >>\nstartxref\n0\n%%EOF\n',
    'latin1',
  );
}

/** Content as it would arrive from the network, piece by piece. */
export async function* upload(content: Uint8Array, pieceBytes = 16 * 1024): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < content.byteLength; offset += pieceBytes) {
    yield await Promise.resolve(content.subarray(offset, offset + pieceBytes));
  }
}

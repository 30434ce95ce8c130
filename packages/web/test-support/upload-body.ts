/** Boundary of the multipart bodies. */
export const BOUNDARY = '----given';

export interface GivenPart {
  readonly headers?: readonly string[];
  readonly content: string | Uint8Array;
}

/** Creates a file part as browsers send it. */
export function filePart(content: string | Uint8Array, filename = 'picture.jpg'): GivenPart {
  return {
    headers: [`Content-Disposition: form-data; name="file"; filename="${filename}"`, 'Content-Type: image/jpeg'],
    content,
  };
}

export function fieldPart(name: string, content: string): GivenPart {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], content };
}

/** Returns the bytes of a form with these parts. */
export function formBytes(...parts: readonly GivenPart[]): Uint8Array<ArrayBuffer> {
  return Buffer.concat([
    ...parts.flatMap(({ headers = [], content }) => [
      Buffer.from(`--${BOUNDARY}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]);
}

/** Creates a request that sends the bytes in chunks of `step` bytes. */
export function formRequest(
  bytes: Uint8Array,
  { type = `multipart/form-data; boundary=${BOUNDARY}`, step = 16_384, length = true } = {},
): { headers: Headers; body: ReadableStream<Uint8Array>; readBytes(): number } {
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at >= bytes.byteLength) return controller.close();
        controller.enqueue(bytes.subarray(at, at + step));
        at += step;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = new Headers({ 'content-type': type });
  if (length) headers.set('content-length', String(bytes.byteLength));
  return { headers, body, readBytes: () => Math.min(at, bytes.byteLength) };
}

/** Returns bytes with the signature of a JPEG. */
export function jpeg(size = 2000): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(size, 'picture ');
  bytes.set([0xff, 0xd8, 0xff, 0xe0]);
  return bytes;
}

export function pdf(): Uint8Array<ArrayBuffer> {
  return Buffer.from('%PDF-1.7\nof a bill');
}

/** The largest request body, in bytes (DESIGN section 2). */
export const BODY_MAX_BYTES: number = 64 * 1024;

/** A request as the API reads it. Each binding makes one from what its server gives it. */
export interface RequestContext {
  readonly method: string;
  /** The request target or the whole URL. Only the query is read from it. */
  readonly url: string;
  /** The path, percent-decoded as Hono decodes it: `/api/v1/verifications`. */
  readonly path: string;
  /** The part of the path before the API's own: `/api/v1`, or empty when the API is mounted at the root. */
  readonly mountPath: string;
  /** Returns the network address of the client, as the trusted proxies report it. */
  clientAddress(): string;
  /** Returns a header by its lower-case name; repeated headers are joined with a comma. */
  header(name: string): string | undefined;
  /**
   * Reads the whole body.
   * @throws {@link ApiError} `PAYLOAD_TOO_LARGE` over {@link BODY_MAX_BYTES}, `BAD_REQUEST` if the body ends early
   */
  body(): Promise<Uint8Array>;
}

/** A response, ready to be written by a binding. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * JSON text, its bytes if `headers` has a `Content-Encoding`, the bytes of a file, or the parts of a download, whose length is not
   * known. Write a part before you ask for the next one. Call `return()` when the caller has left, and instead of asking in the answer to
   * `HEAD`: otherwise the download holds its slot for ever. If a part throws, which is reported to `onFault`, close the connection: the
   * caller must not take the rest for the whole.
   */
  readonly body: string | Uint8Array<ArrayBuffer> | AsyncGenerator<Uint8Array>;
}

/** A response whose body is complete. */
export interface WholeResponse extends ApiResponse {
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Whether the body comes in parts. */
export function isDownload(body: ApiResponse['body']): body is AsyncGenerator<Uint8Array> {
  return typeof body !== 'string' && !(body instanceof Uint8Array);
}

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

/** A complete response, ready to be written by a binding. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, its bytes if `headers` has a `Content-Encoding`, or the bytes of a file. */
  readonly body: string | Uint8Array<ArrayBuffer>;
}

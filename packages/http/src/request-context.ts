/** A request as the API reads it, whichever kind of server it came through. */
export interface ApiRequest {
  readonly method: string;
  /** Its address. Only what stands behind the `?` is read of it. */
  readonly url: string;
  /** Where the API is mounted: `/api/v1`, or nothing for the root. */
  readonly mount: string;
  /** The path below the mount point, decoded: `/verifications`, or nothing for the mount point itself. */
  readonly path: string;
  /** The network address of the client, after the proxies that are trusted. */
  readonly clientAddress: () => string;
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /**
   * The whole body, at most `BODY_MAX_BYTES`.
   * @throws ApiError `PAYLOAD_TOO_LARGE`, `BAD_REQUEST`
   */
  readonly body: () => Promise<Uint8Array>;
}

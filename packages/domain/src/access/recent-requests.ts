/** An answered API request of a client. It holds nothing of the query, the body, the address or the values in the path. */
export interface ApiRequest {
  readonly answeredAt: Date;
  /** The value of `X-Request-Id`. */
  readonly requestId: string;
  readonly method: string;
  /** The path as the interface writes it, such as `/verifications/{id}`; `*` for an unknown one. */
  readonly route: string;
  readonly status: number;
  /** The code of an error; null for a success. */
  readonly code: string | null;
  readonly durationMs: number;
  readonly keyId: string;
}

/** How many requests of each client are kept. */
export const RECENT_REQUESTS_KEPT = 100;

/** Port: the last API requests with a valid key that this process answered. */
export interface RecentRequests {
  /** Returns the last requests of a client, newest first. */
  of(clientId: string): readonly ApiRequest[];
}

/** An API request with the key that was used. */
export interface ListedRequest extends ApiRequest {
  /** Undefined if the key is no longer in the database. */
  readonly key: { readonly name: string; readonly display: string } | undefined;
}

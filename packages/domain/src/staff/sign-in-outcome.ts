/** `Set-Cookie` values that the answer to the request must carry. */
export interface CookieChange {
  readonly setCookies: readonly string[];
}

/** Too many wrong attempts. */
export interface Throttled {
  readonly outcome: 'throttled';
  readonly retryAfterSeconds: number;
}

/** The sender of a request: the browser's cookies, and the address of the network for which attempts are counted. */
export interface Visitor {
  readonly cookies: string | undefined;
  readonly clientAddress: string;
  /** The language of the page; left out where there is none. */
  readonly locale?: string | undefined;
}

/** The outcome of a sign-in or of a second factor. */
export type SignInOutcome =
  | ({ readonly outcome: 'signed_in' } & CookieChange)
  /** The password was right. Call `enterSecondFactor` next, with these cookies. */
  | ({ readonly outcome: 'second_factor_needed' } & CookieChange)
  /** Unknown e-mail address, or wrong password or code. It does not say which. */
  | { readonly outcome: 'refused' }
  | Throttled;

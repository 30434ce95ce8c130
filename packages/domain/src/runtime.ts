/** Random values, hashes and signatures. An adapter holds the server's secrets. */
export interface Secrets {
  /** `bytes` cryptographically random bytes as lower-case hexadecimal. */
  randomHex(bytes: number): string;
  /** `bytes` cryptographically random bytes as base64 (RFC 4648, section 4). */
  randomBase64(bytes: number): string;
  /** SHA-256 of the UTF-8 text as 64 lower-case hexadecimal characters. */
  sha256(text: string): string;
  /** HMAC-SHA256 of the text with the newest server secret, in base64url. */
  sign(text: string): string;
  /** Whether `signature` was made for `text` with any secret of the ring. Compares in constant time. */
  verify(text: string, signature: string): boolean;
  /**
   * Labels a text for a blind index: equal texts have equal labels, and a label reveals its text only to those who have the key. HMAC-SHA256
   * of the text, cut to 128 bits, in base64url: 22 characters. Its key is derived from `key` for the purpose by HKDF-SHA256 (RFC 5869).
   * @param key 32 random bytes in base64
   */
  label(key: string, purpose: string, text: string): string;
}

/** Secrets that also seal values: a browser keeps them for the server, and can neither read nor change them. */
export interface SealingSecrets extends Secrets {
  /**
   * Encrypts and authenticates bytes with the newest server secret, in base64url.
   * @param purpose what and whom it is for; `open` needs the same
   */
  seal(content: Uint8Array, purpose: string): string;
  /** Returns what `seal` received, with any secret of the ring; null if it was changed, or sealed for another purpose. */
  open(sealed: string, purpose: string): Uint8Array | null;
}

/** Source of the current time. The domain has no other. */
export interface Clock {
  /** Returns the current time. Tests use a fixed one. */
  now(): Date;
}

/** Source of identifiers. The domain has no other. */
export interface Ids {
  /** Returns a new UUID as text: version 7 (RFC 9562), so that rows are stored in the order of their creation. */
  next(): string;
}

/** What most use cases are built from. Each names what it needs: `Pick<Runtime, 'clock' | 'ids'>`. */
export interface Runtime {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: Secrets;
  /** Receives faults that no caller waits for. */
  readonly onFault: (fault: unknown) => void;
}

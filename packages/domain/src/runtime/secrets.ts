/** Randomness and keyed hashes. The domain decides what is hashed; this port knows how, and holds the server's secret. */
export interface Secrets {
  /** `bytes` cryptographically random bytes as lower-case hexadecimal. */
  randomHex(bytes: number): string;
  /** SHA-256 of the UTF-8 text as 64 lower-case hexadecimal characters. */
  sha256(text: string): string;
  /** base64url of HMAC-SHA256 of the text under the newest server secret. */
  sign(text: string): string;
  /** True when `signature` was made for `text` under any secret of the ring. Compares in constant time. */
  verify(text: string, signature: string): boolean;
}

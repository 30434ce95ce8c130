/** A file that arrives. */
export interface Upload {
  readonly content: AsyncIterable<Uint8Array>;
  /** Throws once the sender has disconnected. Called when a file that waited is about to be processed. Default: does nothing. */
  readonly requireSender?: (() => void) | undefined;
}

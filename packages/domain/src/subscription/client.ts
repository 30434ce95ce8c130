/** A customer of the service: the owner of keys, of a subscription and of verifications. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** For trying things out: here, and nowhere else, verifications may be driven without a person (sandbox/). */
  readonly sandbox: boolean;
}

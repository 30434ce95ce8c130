/** A customer of the service: the owner of keys, of a subscription and of verifications. */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

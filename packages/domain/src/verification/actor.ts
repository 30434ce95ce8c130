/** Who did something to a verification. */
export interface Actor {
  readonly kind: 'client' | 'subject' | 'reviewer' | 'operator' | 'system';
  /** The key, staff member or reviewer; null where the kind says it all. Never leaves the house. */
  readonly id: string | null;
}

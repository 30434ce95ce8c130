/** Who did something to a verification. */
export interface Actor {
  readonly kind: 'api_key' | 'team_member' | 'subject' | 'reviewer' | 'operator' | 'system';
  /** Id of the API key or user; null for `subject`, `system` and operators at the command line. Never sent to clients. */
  readonly id: string | null;
}

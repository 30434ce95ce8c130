/**
 * The kinds of mail that this version sends. A mail of another kind, which a newer version queued, stays in the queue for that
 * version.
 */
export const MAIL_KINDS = [
  'verification.link',
  'verification.link_renewed',
  'verification.reminder',
  'verification.action_needed',
  'verification.result',
  'user.invitation',
  'user.password_reset',
  'user.second_factor_reset',
  'team.endpoint_paused',
  'team.key_expiring',
] as const;
/** What a mail is about: one of `MAIL_KINDS`. */
export type MailKind = (typeof MAIL_KINDS)[number];

/**
 * A mail that waits to be sent. It names what it is about and holds neither address nor text: both are read when it is sent, so
 * that a mail always has the current link, and nothing personal waits in the queue.
 */
export interface Mail {
  /** A UUID. The `Message-ID` is made of it, so every attempt has the same one. */
  readonly id: string;
  readonly kind: MailKind;
  /** The client that it is about; null without one. */
  readonly clientId: string | null;
  /** The verification that it is about; null without one. */
  readonly verificationId: string | null;
  /** The user who receives it; null if a subject does. */
  readonly userId: string | null;
  /** What else it is about, such as an endpoint or an API key; null without one. */
  readonly targetId: string | null;
  /** The time of the first attempt. It does not change. */
  readonly plannedAt: Date;
  /** The time from which on it is sent: `plannedAt`, and later after an attempt that failed. */
  readonly dueAt: Date;
  /** Attempts that failed. */
  readonly attempts: number;
  /** The time until which a budget of its recipient last held it back; null if none did. */
  readonly heldUntil: Date | null;
}

/** Mails of one group are counted together: about verifications, about the recipient's own account, about something of their team. */
export type MailGroup = 'verification' | 'user' | 'team';

/**
 * A mail that waits to be sent. It names what it is about and holds neither address nor text: both are read when it is sent, so
 * that a mail always has the current link, and nothing personal waits in the queue.
 */
export interface Mail {
  /** A UUID. The `Message-ID` is made of it, so every attempt has the same one. */
  readonly id: string;
  /** The group and the kind in it, such as `verification.link`. `MAIL_KINDS` lists those that this version sends. */
  readonly kind: `${MailGroup}.${string}`;
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

/** Returns the group of a mail. */
export function groupOf({ kind }: Pick<Mail, 'kind'>): MailGroup {
  return kind.slice(0, kind.indexOf('.')) as MailGroup;
}

/** Makes a mail for the queue, which is sent from `at` on. */
export function newMail({
  id,
  kind,
  at,
  ...about
}: Pick<Mail, 'id' | 'kind'> & {
  readonly at: Date;
} & Partial<Pick<Mail, 'clientId' | 'verificationId' | 'userId' | 'targetId'>>): Mail {
  const none = { clientId: null, verificationId: null, userId: null, targetId: null };
  return { ...none, ...about, id, kind, plannedAt: at, dueAt: at, attempts: 0, heldUntil: null };
}

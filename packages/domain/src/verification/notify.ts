import { z } from 'zod';
import { EMAIL_MAX } from '../fields/schema.ts';

/** Where the service sends mails about a verification to its subject. */
export interface Notify {
  /** One plain address, as sent. */
  readonly email: string;
}

/**
 * One plain address in ASCII: no display name, list, comment, quotes, space or line break, so that nothing else of a mail can be
 * written with it.
 */
export const notifySchema: z.ZodType<Notify> = z.strictObject({
  email: z.email().max(EMAIL_MAX).meta({
    maxLength: EMAIL_MAX,
    description: "The subject's e-mail address: one plain address, without a name.",
  }),
});

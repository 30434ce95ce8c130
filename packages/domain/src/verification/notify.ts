import { z } from 'zod';
import { emailSchema } from '../fields/schema.ts';

/** Where the service sends mails about a verification to its subject. */
export interface Notify {
  /** One plain address, as sent. */
  readonly email: string;
}

/** The address is plain, as every field of the kind `email`: nothing else of a mail can be written with it. */
export const notifySchema: z.ZodType<Notify> = z.strictObject({
  email: emailSchema.meta({
    description: "The subject's e-mail address: one plain address, without a name.",
  }),
});

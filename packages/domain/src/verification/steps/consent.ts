import { z } from 'zod';
import { email, name, phone, text } from './fields.ts';
import { defineStep, type Step } from './step.ts';

/** The subject's consent, as given on the page. */
export interface Consent {
  readonly accepted: true;
  /** Version of the text that was shown. */
  readonly version: string;
  /** Language it was shown in (BCP 47). */
  readonly locale: string;
  /** Added by the server: ISO 8601, UTC. */
  readonly acceptedAt?: string | undefined;
}

/** Consent given for a business, by a person who may speak for it. */
export interface BusinessConsent extends Consent {
  readonly representative: {
    readonly firstName: string;
    readonly lastName: string;
    readonly role: string;
    readonly email: string;
    readonly phone?: string | undefined;
  };
}

const shape = {
  accepted: z.literal(true),
  version: text(50),
  locale: z.string().regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a BCP 47 language tag'),
};

const representative = z.strictObject({
  firstName: name,
  lastName: name,
  role: text(100),
  email,
  phone: phone.optional(),
});

const stamp = <C extends Consent>(consent: C, now: Date): C => ({ ...consent, acceptedAt: now.toISOString() });

export const consent: Step = defineStep<Consent>({ schema: z.strictObject(shape), stamp });

export const businessConsent: Step = defineStep<BusinessConsent>({
  schema: z.strictObject({ ...shape, representative }),
  stamp,
});

/** The closing statement that everything is true. */
export const attestation: Step = defineStep<{ readonly accepted: true }>({
  schema: z.strictObject({ accepted: z.literal(true) }),
});

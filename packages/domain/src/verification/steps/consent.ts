import { z } from 'zod';
import { email, name, phone, text } from './fields.ts';
import { defineStep, type Step } from './step.ts';

/** The subject's consent, as given on the page. */
interface GivenConsent {
  readonly accepted: true;
  /** Version of the text that was shown. */
  readonly version: string;
  /** Language it was shown in (BCP 47). */
  readonly locale: string;
}

/** What the server adds. */
interface Accepted {
  /** ISO 8601, UTC. */
  readonly acceptedAt: string;
}

/** Given for a business, by a person who may speak for it. */
interface GivenBusinessConsent extends GivenConsent {
  readonly representative: {
    readonly firstName: string;
    readonly lastName: string;
    readonly role: string;
    readonly email: string;
    readonly phone?: string | undefined;
  };
}

export type Consent = GivenConsent & Accepted;
export type BusinessConsent = GivenBusinessConsent & Accepted;

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

const stamp = <C extends GivenConsent>(consent: C, now: Date): C & Accepted => ({
  ...consent,
  acceptedAt: now.toISOString(),
});

export const consent: Step = defineStep<GivenConsent>({ fields: shape, stamp });

export const businessConsent: Step = defineStep<GivenBusinessConsent>({
  fields: { ...shape, representative },
  stamp,
});

/** The closing statement that everything is true. */
export const attestation: Step = defineStep<{ readonly accepted: true }>({
  fields: { accepted: z.literal(true) },
});

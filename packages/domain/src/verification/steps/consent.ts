import type { Fields } from '../../fields/field.ts';
import { defineStep, type Step } from '../../fields/step.ts';
import { nameFields, type PersonName } from './shared-fields.ts';

/** Consent to the verification. */
export interface Consent {
  readonly accepted: true;
  /** Version of the text that was shown. */
  readonly version: string;
  /** Language that the text was shown in (BCP 47). */
  readonly locale: string;
  /** ISO 8601, UTC. */
  readonly acceptedAt: string;
}

/** Consent for a business, by its representative. */
export interface BusinessConsent extends Consent {
  readonly representative: PersonName & {
    readonly role: string;
    readonly email: string;
    readonly phone?: string | undefined;
  };
}

const fields: Fields<Consent> = {
  accepted: { kind: 'statement' },
  version: { kind: 'text', max: 50, by: 'page' },
  locale: { kind: 'language', by: 'page' },
  acceptedAt: { kind: 'timestamp', by: 'server' },
};

const stamp = (now: Date): Pick<Consent, 'acceptedAt'> => ({ acceptedAt: now.toISOString() });

export const consent: Step = defineStep<Consent>({
  fields,
  pages: { consent: ['accepted', 'version', 'locale'] },
  stamp,
});

export const businessConsent: Step = defineStep<BusinessConsent>({
  fields: {
    ...fields,
    representative: {
      kind: 'group',
      fields: {
        firstName: { ...nameFields.firstName, readAs: 'firstName' },
        lastName: { ...nameFields.lastName, readAs: 'lastName' },
        role: { kind: 'text', max: 100, purpose: 'organization-title' },
        email: { kind: 'email', purpose: 'email' },
        phone: { kind: 'phone', purpose: 'tel', optional: true },
      },
    },
  },
  pages: { consent: ['accepted', 'version', 'locale'], 'your-details': ['representative'] },
  stamp,
});

/** The closing statement that everything is true. */
export const attestation: Step = defineStep<{ readonly accepted: true }>({
  fields: { accepted: { kind: 'statement' } },
  pages: { check: ['accepted'] },
});

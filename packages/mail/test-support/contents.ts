import type { MailContent, MailKind, UserMailValues, VerificationMailValues } from '@countersign/domain/mail';

export const NOW = new Date('2026-11-23T09:00:00Z');

const VALUES: VerificationMailValues = {
  clientName: 'Acme',
  subjectType: 'kyc',
  url: 'https://verify.example/verify/018f#token-of-the-link',
  supportAddress: null,
  linkExpiresAt: new Date('2026-12-23T09:00:00Z'),
};

export type VerificationMailKind = Extract<MailKind, `verification.${string}`>;
export type UserMailKind = Extract<MailKind, `user.${string}`>;

const ABOUT = { messageId: '018f6f2e-0000-7000-8000-000000000001', to: 'ada@example.org' };

/** Makes the content of a mail about an endpoint. */
export function pausedContentOf(values: { host?: string; clientName?: string } = {}): MailContent {
  const { clientName } = VALUES;
  const url = 'https://verify.example/dashboard/webhooks/018f';
  const failingSince = new Date('2026-11-20T07:30:00Z');
  return {
    ...ABOUT,
    kind: 'team.endpoint_paused',
    locale: 'en',
    values: { clientName, url, host: 'hooks.acme.example', failingSince, ...values },
  };
}

/** Makes the content of a mail about an API key. */
export function expiringContentOf(keyName = 'shop'): MailContent {
  const { clientName } = VALUES;
  const url = 'https://verify.example/dashboard/keys';
  const key = { keyName, keyDisplay: 'csk_ab12…cd34', expiresAt: new Date('2026-11-30T09:00:00Z') };
  return { ...ABOUT, kind: 'team.key_expiring', locale: 'en', values: { clientName, url, ...key } };
}

/** Makes the content of a mail to a user. */
export function userContentOf(
  kind: UserMailKind,
  { locale = 'en', values = {} }: { locale?: string | null; values?: Partial<UserMailValues> } = {},
): MailContent {
  const { clientName, url, linkExpiresAt } = VALUES;
  return { ...ABOUT, kind, locale, values: { clientName, url, linkExpiresAt, ...values } };
}

/** Makes the content of a mail about a verification. */
export function contentOf(
  kind: VerificationMailKind,
  {
    locale = 'en',
    values = {},
    ...more
  }: { locale?: string | null; to?: string; values?: Partial<VerificationMailValues> } = {},
): MailContent {
  const about = { ...ABOUT, locale, ...more };
  const own = { ...VALUES, ...values };
  switch (kind) {
    case 'verification.action_needed':
      return {
        ...about,
        kind,
        values: {
          ...own,
          items: [
            { step: 'document', reasonCode: 'document_glare' },
            { step: 'selfie', reasonCode: 'selfie_unclear' },
          ],
        },
      };
    case 'verification.result':
      return { ...about, kind, values: { ...own, result: 'approved' } };
    default:
      return { ...about, kind, values: own };
  }
}

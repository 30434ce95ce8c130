import type { MailContent, MailKind, VerificationMailValues } from '@countersign/domain';

export const NOW = new Date('2026-11-23T09:00:00Z');

const VALUES: VerificationMailValues = {
  clientName: 'Acme',
  subjectType: 'kyc',
  url: 'https://verify.example/verify/018f#token-of-the-link',
  linkExpiresAt: new Date('2026-12-23T09:00:00Z'),
};

/** Makes the content of a mail. */
export function contentOf(
  kind: MailKind,
  {
    locale = 'en',
    values = {},
    ...more
  }: { locale?: string | null; to?: string; values?: Partial<VerificationMailValues> } = {},
): MailContent {
  const about = { messageId: '018f6f2e-0000-7000-8000-000000000001', to: 'ada@example.org', locale, ...more };
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

import {
  groupOf,
  type MailContent,
  type MailGroup,
  type MailKind,
  type MailValues,
} from '@countersign/domain/mail';

export const NOW = new Date('2026-11-23T09:00:00Z');

const CLIENT = { clientName: 'Acme' };
const LINK = {
  ...CLIENT,
  url: 'https://verify.example/verify/018f#token-of-the-link',
  linkExpiresAt: new Date('2026-12-23T09:00:00Z'),
};

/** What the mails of a group say. */
const OF_GROUP: Readonly<Record<MailGroup, object>> = {
  verification: { ...LINK, subjectType: 'kyc', supportAddress: null },
  user: LINK,
  team: CLIENT,
};

/** What single mails say beside that. */
const OWN: { readonly [K in MailKind]?: Partial<MailValues[K]> } = {
  'verification.action_needed': {
    items: [
      { step: 'document', reasonCode: 'document_glare' },
      { step: 'selfie', reasonCode: 'selfie_unclear' },
    ],
  },
  'verification.result': { result: 'approved' },
  'team.endpoint_paused': {
    url: 'https://verify.example/dashboard/webhooks/018f',
    host: 'hooks.acme.example',
    failingSince: new Date('2026-11-20T07:30:00Z'),
  },
  'team.key_expiring': {
    url: 'https://verify.example/dashboard/keys',
    keyName: 'shop',
    keyDisplay: 'csk_ab12…cd34',
    expiresAt: new Date('2026-11-30T09:00:00Z'),
  },
};

/** Makes the content of a mail. */
export function contentOf<K extends MailKind>(
  kind: K,
  { values, ...more }: { locale?: string | null; to?: string; values?: Partial<MailValues[K]> } = {},
): MailContent<K> {
  const about = { messageId: '018f6f2e-0000-7000-8000-000000000001', to: 'ada@example.org', locale: 'en' };
  const all = { ...OF_GROUP[groupOf({ kind })], ...OWN[kind], ...values };
  return { ...about, ...more, kind, values: all } as unknown as MailContent<K>;
}

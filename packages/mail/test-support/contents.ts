import { SUBJECT_TYPES } from '@countersign/domain';
import {
  groupOf,
  MAIL_KINDS,
  type MailContent,
  type MailGroup,
  type MailKind,
  type MailLogo,
  type MailValues,
} from '@countersign/domain/mail';
import { type DrawnMail, drawMail } from '../src/draw.tsx';
import { type MailText, mailTextOf } from '../src/mail-text.ts';

export const NOW = new Date('2026-11-23T09:00:00Z');

/** A logo that holds the name of its client. */
export const LOGO: MailLogo = { url: 'https://verify.example/faces/logos/acme/0a.png', width: 480, height: 96 };

const CLIENT = { clientName: 'Acme' };
const LINK = {
  ...CLIENT,
  url: 'https://verify.example/verify/018f#token-of-the-link',
  linkExpiresAt: new Date('2026-12-23T09:00:00Z'),
};

/** What the mails of a group say. */
const OF_GROUP: Readonly<Record<MailGroup, object>> = {
  verification: { ...LINK, subjectType: 'kyc', colour: null, logo: null, supportAddress: null },
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

/** Writes and draws a mail. */
export function writtenMail(content: MailContent): MailText & DrawnMail {
  const mailText = mailTextOf(content, NOW, null);
  return { ...mailText, ...drawMail(mailText) };
}

type Variant = readonly [name: string, values: object];

/** Lists the values that change the words of a mail: people and businesses, each result, with and without a client or a name. */
function variantsOf(kind: MailKind): readonly Variant[] {
  const ofSubjects = SUBJECT_TYPES.map((subjectType): Variant => [`-${subjectType}`, { subjectType }]);
  switch (kind) {
    case 'verification.result':
      return ofSubjects.flatMap(([name, values]) =>
        ['approved', 'rejected'].map((result): Variant => [`${name}-${result}`, { ...values, result }]),
      );
    case 'user.invitation':
      return [
        ['-team', {}],
        ['-service', { clientName: null }],
      ];
    case 'team.key_expiring':
      return [
        ['-named', {}],
        ['-unnamed', { keyName: '' }],
      ];
    default:
      return groupOf({ kind }) === 'verification' ? ofSubjects : [['', {}]];
  }
}

/** Each mail in each variant. */
export const EVERY_MAIL: readonly (readonly [name: string, content: MailContent])[] = MAIL_KINDS.flatMap((kind) =>
  variantsOf(kind).map(([name, values]) => [`${kind}${name}`, contentOf(kind, { values })] as const),
);

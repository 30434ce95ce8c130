import type { SubjectType } from '@countersign/domain';
import type { ShownAppearance } from '@countersign/domain/clients';
import type { FC } from 'hono/jsx';
import { Contact } from '../site/appearance-parts.tsx';
import type { Page } from '../site/page.ts';

/** Versions of the consent texts in all languages: people and businesses have texts of their own. Change a version with its text. */
const CONSENT_VERSIONS: Readonly<Record<SubjectType, string>> = {
  kyc: 'kyc-2026-11k',
  kyb: 'kyb-2026-11k',
};

/** Returns the version of the consent text that the page shows. It is stored with the consent. The short text says nothing of deletion. */
export function consentVersion(type: SubjectType, { parts }: Pick<Page, 'parts'>): string {
  const version = CONSENT_VERSIONS[type];
  return parts.has('retention') ? version : `${version}-short`;
}

interface ConsentProps {
  readonly page: Page;
  readonly type: SubjectType;
  readonly appearance: ShownAppearance | null;
}

/** Says in three lines what happens to the data, above the full text, which opens without a script. */
export const ConsentSummary: FC<ConsentProps> = (props) => {
  const { page, type, appearance } = props;
  const { t } = page;
  const client = nameOf(appearance, t('verify:consent.someClient'));
  return (
    <>
      <ul>
        {(['what', 'who', 'choice'] as const).map((line) => (
          <li>{t(`verify:consent.summary.${type}.${line}`, { client })}</li>
        ))}
      </ul>
      <details>
        <summary>{t('verify:consent.fullText')}</summary>
        <ConsentText {...props} />
      </details>
    </>
  );
};

/** Explains what is collected, why, for how long, and which rights people have. */
const ConsentText: FC<ConsentProps> = ({ page: { t }, type, appearance }) => {
  const client = nameOf(appearance, t('verify:consent.someClient'));
  return (
    <div class="consent-text">
      <p>{t(`verify:consent.lead.${type}`, { client })}</p>
      {(['what', 'why', 'howLong', 'rights'] as const).map((part) => (
        <section>
          <h2>{t(`verify:consent.${part}.title`)}</h2>
          <p>{t(`verify:consent.${part}.${type}`, { client })}</p>
        </section>
      ))}
      {appearance === null || appearance.privacyAddress === null ? null : (
        <p>
          {t(`verify:consent.privacyAt.${type}`)} <Contact address={appearance.privacyAddress} />
        </p>
      )}
    </div>
  );
};

/** Returns the name of the client, or a description if the client no longer exists. */
export async function clientName(page: Page): Promise<string> {
  return nameOf((await page.appearance?.()) ?? null, page.t('verify:consent.someClient'));
}

function nameOf(appearance: ShownAppearance | null, someClient: string): string {
  return appearance?.name ?? someClient;
}

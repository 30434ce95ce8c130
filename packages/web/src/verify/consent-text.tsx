import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

/** Of the text below and its translations. A change of meaning needs a new one: it is kept with every consent. */
export const CONSENT_VERSION = '2026-11b';

/** What is collected, for whom, why, for how long, and what the reader may ask for. */
export const ConsentText: FC<{ page: Page; client: string | null }> = ({ page, client }) => {
  const { t } = page;
  const who = { client: client ?? t('verify:consent.someClient') };
  return (
    <div class="consent-text">
      <p>{t('verify:consent.lead', who)}</p>
      {(['what', 'why', 'howLong', 'rights'] as const).map((part) => (
        <section>
          <h2>{t(`verify:consent.${part}.title`)}</h2>
          <p>{t(`verify:consent.${part}.text`, who)}</p>
        </section>
      ))}
    </div>
  );
};

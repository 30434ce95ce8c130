import { isCountersignError, type SubjectType } from '@countersign/domain';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import type { VerifyEnv } from './session.ts';

/** Version of the consent text in all languages. Stored with every consent: change it with the text. */
export const CONSENT_VERSION = '2026-11f';

/** Explains what is collected, why, for how long, and which rights people have. A business has texts of its own. */
export const ConsentText: FC<{ page: Page; type: SubjectType; client: string }> = ({
  page: { t },
  type,
  client,
}) => (
  <div class="consent-text">
    <p>{t(`verify:consent.lead.${type}`, { client })}</p>
    {(['what', 'why', 'howLong', 'rights'] as const).map((part) => (
      <section>
        <h2>{t(`verify:consent.${part}.title`)}</h2>
        <p>{t(`verify:consent.${part}.${type}`, { client })}</p>
      </section>
    ))}
  </div>
);

/** Returns the name of the client, or a description if the client no longer exists. */
export async function clientName(context: Context<VerifyEnv>, { options }: Site): Promise<string> {
  try {
    const { client } = await options.countersign.clients.get(context.get('verification').clientId);
    return client.name;
  } catch (error) {
    if (!isCountersignError(error, 'CLIENT_NOT_FOUND')) throw error;
    return context.get('page').t('verify:consent.someClient');
  }
}

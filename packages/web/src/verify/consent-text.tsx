import { isCountersignError } from '@countersign/domain';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import type { VerifyEnv } from './session.ts';

/** Version of the text below and its translations. It is stored with every consent, so a changed text needs a new one. */
export const CONSENT_VERSION = '2026-11c';

/** Shows what is collected, for whom, why, for how long, and what the subject may ask for. */
export const ConsentText: FC<{ page: Page; client: string }> = ({ page: { t }, client }) => (
  <div class="consent-text">
    <p>{t('verify:consent.lead', { client })}</p>
    {(['what', 'why', 'howLong', 'rights'] as const).map((part) => (
      <section>
        <h2>{t(`verify:consent.${part}.title`)}</h2>
        <p>{t(`verify:consent.${part}.text`, { client })}</p>
      </section>
    ))}
  </div>
);

/** Returns the name of the client that asks for the verification, or words for a client that is gone. */
export async function clientName(context: Context<VerifyEnv>, { options }: Site): Promise<string> {
  try {
    const { client } = await options.countersign.clients.get(context.get('verification').clientId);
    return client.name;
  } catch (error) {
    if (!isCountersignError(error, 'CLIENT_NOT_FOUND')) throw error;
    return context.get('page').t('verify:consent.someClient');
  }
}

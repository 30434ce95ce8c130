import { isCountersignError } from '@countersign/domain';
import { returnLinkOf } from '@countersign/domain/clients';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { clientName } from './consent-text.tsx';
import type { VerifyEnv } from './session.ts';

/** Where a subject returns to, and whose address it is. */
export interface WayBack {
  readonly client: string;
  readonly address: string;
}

/**
 * Returns the subject's way back to the client; null if the creation gave none, or if the client no longer permits the
 * address.
 */
export async function wayBackOf(context: Context<VerifyEnv>, { options }: Site): Promise<WayBack | null> {
  const verification = context.get('verification');
  const { clientId, returnUrl } = verification;
  if (returnUrl === null) return null;
  try {
    const { client } = await options.countersign.clients.get(clientId);
    const address = returnLinkOf(returnUrl, client.returnAddresses, verification);
    return address === null ? null : { client: await clientName(context.get('page')), address };
  } catch (error) {
    if (!isCountersignError(error, 'CLIENT_NOT_FOUND')) throw error;
    return null;
  }
}

/** A link that the subject follows by choice. Older browsers learn from `rel` that the client gets no referrer. */
export const ReturnLink: FC<{ page: Page; wayBack: WayBack }> = ({ page, wayBack: { client, address } }) => (
  <p class="next">
    <a href={address} class="button return-action" rel="noreferrer">
      {page.t('verify:returnTo', { client })}
    </a>
  </p>
);

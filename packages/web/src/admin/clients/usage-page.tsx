import { getClient, readClientUsage } from '@countersign/domain';
import type { Handler } from 'hono';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { UsageDetails } from '../../usage/usage-details.tsx';
import { answerAdminPage } from '../admin-page.tsx';
import { clientPath } from '../paths.ts';

/** What a client used, as its own dashboard shows it. */
export function clientUsagePage(site: Site): Handler<StaffEnv, '/:id/usage'> {
  return async (context) => {
    const page = context.get('page');
    const { t, href } = page;
    const as = context.get('as');
    const { client } = await as.run(getClient, { clientId: context.req.param('id') });
    const title = t('admin:usage.title', { name: client.name });
    return answerAdminPage(
      context,
      site,
      { title },
      <>
        <h1 class="as-typed">{title}</h1>
        <UsageDetails usage={await as.run(readClientUsage, { clientId: client.id })} page={page} />
        <p>
          <a href={href(clientPath(client.id))}>{t('admin:client.back')}</a>
        </p>
      </>,
    );
  };
}

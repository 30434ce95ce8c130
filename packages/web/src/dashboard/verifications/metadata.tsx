import type { JsonObject } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { Page } from '../../site/page.ts';

/** The client's own data on a verification, as the API returns it. */
export const Metadata: FC<{ metadata: JsonObject; page: Page }> = ({ metadata, page: { t } }) => (
  <section aria-labelledby="metadata-title">
    <h2 id="metadata-title">{t('dashboard:verifications.metadata.title')}</h2>
    {Object.keys(metadata).length === 0 ? (
      <p class="quiet">{t('dashboard:verifications.metadata.none')}</p>
    ) : (
      <pre>
        <code>{JSON.stringify(metadata, null, 2)}</code>
      </pre>
    )}
  </section>
);

import type { OneTimeLink } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import type { PageParts } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { CopyField } from './copy-field.tsx';
import { Moment } from './moment.tsx';
import { ShownOnce, shownOnceParts } from './shown-once.tsx';

/** Title, scripts and headers of a page that shows a one-time link. */
export const oneTimeLinkParts: (title: string) => PageParts = shownOnceParts;

/** Shows a one-time link to pass on. */
export const OneTimeLinkShown: FC<{ link: OneTimeLink; title: string; page: Page; site: Site }> = (props) => {
  const { link, title, page, site } = props;
  const { t } = page;
  return (
    <>
      <h1>{title}</h1>
      <ShownOnce
        page={page}
        title={t('staff:link.onceTitle')}
        text={t('staff:link.onceText', { email: link.user.email })}
        instead={page.path}
      />
      <CopyField
        page={page}
        id="one-time-link"
        label={t('staff:link.label')}
        value={site.options.publicBaseUrl + link.invitationPath}
      />
      <p>
        {t('staff:user.linkUntil')} <Moment at={link.expiresAt} page={page} />
      </p>
    </>
  );
};

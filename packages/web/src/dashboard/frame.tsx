import { getOwnClient } from '@countersign/domain/actions';
import type { ClientMode } from '@countersign/domain/clients';
import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { itemOf, type StaffEnv } from '../staff/area.tsx';
import { hrefInMode } from '../staff/mode.ts';
import { HOME_PATH } from './paths.ts';

/** The content of a page of the dashboard. In test mode, a line above it says so. */
export const DashboardFrame: FC<{ context: Context<StaffEnv>; mode: ClientMode; content: Child }> = (props) => {
  const { context, mode, content } = props;
  const { t } = context.get('page');
  return (
    <>
      {mode === 'live' ? null : (
        <p class="test-mode">
          <Badge tone="warn" page={context.get('page')}>
            {t('dashboard:mode.to.test')}
          </Badge>{' '}
          {t('dashboard:mode.testText')}
        </p>
      )}
      {content}
    </>
  );
};

/** The client that the pages are about, and a switch between its modes. */
export async function aboutClient(context: Context<StaffEnv>, mode: ClientMode): Promise<Child> {
  const { t } = context.get('page');
  const { client } = await context.get('as').run(getOwnClient, {});
  return (
    <>
      <p class="shell-client">
        <bdi>{client.name}</bdi>
      </p>
      <div class="mode-switch">
        {(['live', 'test'] as const satisfies readonly ClientMode[]).map((other) =>
          other === mode ? (
            <span aria-current="true">{t(`dashboard:mode.to.${other}`)}</span>
          ) : (
            <a href={hrefInMode(context.get('site'), other, partInBoth(context))}>
              {t(`dashboard:mode.to.${other}`)}
            </a>
          ),
        )}
      </div>
    </>
  );
}

/** The part of the dashboard that the page belongs to; the overview if the other mode has no such part. */
function partInBoth(context: Context<StaffEnv>): string {
  const { path } = context.get('page');
  const { menu } = context.get('area');
  const shared = menu().filter(({ action }) => !action.liveOnly);
  return itemOf(shared, path)?.path ?? HOME_PATH;
}

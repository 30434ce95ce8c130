import type { ClientMode } from '@countersign/domain/clients';
import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import type { StaffEnv } from '../staff/area.tsx';
import { hrefInMode } from '../staff/mode.ts';
import { HOME_PATH } from './paths.ts';

/** The content of a page of the dashboard. In test mode, a banner above it says so. */
export const DashboardFrame: FC<{ context: Context<StaffEnv>; mode: ClientMode; content: Child }> = (props) => {
  const { context, mode, content } = props;
  const { t } = context.get('page');
  return (
    <div class="dashboard">
      {mode === 'live' ? null : (
        <div class="notice">
          <p>
            <strong>{t('dashboard:mode.test')}</strong> {t('dashboard:mode.testText')}
          </p>
        </div>
      )}
      {content}
    </div>
  );
};

/** A link to the same part of the dashboard in the other mode, or to its overview if the other mode has no such part. */
export const ModeSwitch: FC<{ context: Context<StaffEnv>; mode: ClientMode }> = ({ context, mode }) => {
  const { t, path } = context.get('page');
  const { menu } = context.get('area');
  const shared = menu().filter(({ action }) => !action.liveOnly);
  const part = shared.find((item) => item.path !== HOME_PATH && `${path}/`.startsWith(`${item.path}/`));
  const other = mode === 'live' ? 'test' : 'live';
  return (
    <li>
      <a href={hrefInMode(context.get('site'), other, part?.path ?? HOME_PATH)}>
        {t(`dashboard:mode.to.${other}`)}
      </a>
    </li>
  );
};

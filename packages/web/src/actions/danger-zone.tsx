import type { ActionEntry } from '@countersign/domain/actions';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { Card } from '../parts/blocks.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { actionTexts } from './action-texts.ts';

/** An action that ends something. */
export interface Danger {
  readonly action: ActionEntry;
  readonly path: string;
  readonly label: MessageKey;
  /** What follows from it. Default: the text of the action's page. */
  readonly text?: MessageKey;
}

/** What ends something, at the end of a page: only what the user may do. Nothing if there is none of it. */
export function DangerZone(props: {
  readonly context: Context<StaffEnv>;
  readonly dangers: readonly Danger[];
}): Child {
  const { context, dangers } = props;
  const page = context.get('page');
  const { t, href } = page;
  const shown = dangers.filter(({ action }) => context.get('as').may(action) !== 'no');
  return shown.length === 0 ? null : (
    <Card id="danger" title={t('staff:danger.title')} class="danger-zone">
      {shown.map(({ action, path, label, text }) => (
        <div>
          <p>{text === undefined ? actionTexts(t, action).explain : t(text)}</p>
          <a href={href(path)} class="button danger">
            {t(label)}
          </a>
        </div>
      ))}
    </Card>
  );
}

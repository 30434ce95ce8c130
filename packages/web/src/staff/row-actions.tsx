import type { ActionEntry } from '@countersign/domain/actions';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { Menu } from '../parts/menu.tsx';
import type { Column } from '../parts/table.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { StaffEnv } from './area.tsx';

/** An action that a row leads to. */
export interface RowAction<T> {
  readonly action: ActionEntry;
  readonly label: MessageKey;
  readonly path: (row: T) => string;
  /** Whether the row's state allows it. */
  readonly when?: (row: T) => boolean;
  /** Whether it cannot be undone. */
  readonly isDangerous?: true;
}

/**
 * The column with a menu of the actions that the user may run; no column if there are none. The name of a link says
 * which row it is about, and begins with the visible text (WCAG 2.5.3).
 */
export function actionColumn<T>(
  context: Context<StaffEnv>,
  actions: readonly RowAction<T>[],
  nameOf: (row: T) => string,
): readonly Column<T>[] {
  const { t, href } = context.get('page');
  const { may } = context.get('as');
  const allowed = actions.filter(({ action }) => may(action) !== 'no');
  if (allowed.length === 0) return [];
  const cell = (row: T): Child => {
    const shown = allowed.filter(({ when }) => when?.(row) ?? true);
    if (shown.length === 0) return null;
    const name = nameOf(row);
    return (
      <Menu page={context.get('page')} label={`${t('staff:actions.title')}: ${name}`}>
        {/* A page has hundreds of them, and a text is drawn several times faster than elements. */}
        {shown.map(
          ({ path, label, isDangerous }) =>
            html`<a href="${href(path(row))}"${isDangerous ? html` class="danger"` : ''} aria-label="${t(label)}: ${name}">${t(label)}</a>`,
        )}
      </Menu>
    );
  };
  return [{ title: t('staff:actions.title'), class: 'menu-cell', cell }];
}

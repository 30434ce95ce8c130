import type { ActionEntry } from '@countersign/domain/actions';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { MessageKey } from '../site/messages.ts';
import type { StaffEnv } from './area.tsx';

/** One column of a table. */
export interface Column<T> {
  readonly title: string;
  /** Shown below the title. */
  readonly note?: Child;
  readonly cell: (row: T) => Child;
  /** Whether the cell names the row. */
  readonly isRowHeader?: true;
  readonly class?: string;
}

/**
 * A table of rows. On a narrow page each row becomes a card, whose cells repeat the title of their column.
 * @param props.label says what the table lists, unless a heading does
 * @param props.head `hidden` shows the titles to screen readers only
 */
export function Table<T>(props: {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly label?: string;
  readonly class?: string;
  readonly head?: 'hidden';
  readonly rowAttributes?: (row: T) => Readonly<Record<string, string | number | undefined>>;
}): Child {
  const { columns, rows, label, head, rowAttributes } = props;
  return (
    <table class={props.class ?? 'as-cards'} aria-label={label}>
      <thead class={head === 'hidden' ? 'visually-hidden' : undefined}>
        <tr>
          {columns.map(({ title, note, class: name }) => (
            <th scope="col" class={name}>
              {title}
              {note === undefined ? null : <small> {note}</small>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr {...rowAttributes?.(row)}>
            {columns.map(({ title, cell, isRowHeader, class: name }) => {
              const content = cell(row);
              return isRowHeader ? (
                <th scope="row" class={name}>
                  {content}
                </th>
              ) : (
                <td data-label={content === '' ? undefined : title} class={name}>
                  {content}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** An action that a row leads to. */
export interface RowAction<T> {
  readonly action: ActionEntry;
  readonly label: MessageKey;
  readonly path: (row: T) => string;
  /** Whether the row's state allows it. */
  readonly when?: (row: T) => boolean;
}

/**
 * The column with links to the actions that the user may run; no column if there are none. The name of a link says
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
    if (shown.length === 0) return <span class="quiet">{t('staff:actions.none')}</span>;
    return (
      <div class="buttons">
        {shown.map(({ path, label }) => (
          <a href={href(path(row))} aria-label={`${t(label)}: ${nameOf(row)}`}>
            {t(label)}
          </a>
        ))}
      </div>
    );
  };
  return [{ title: t('staff:actions.title'), cell }];
}

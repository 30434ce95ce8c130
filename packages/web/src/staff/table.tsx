import type { Child, FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

/** One column of a table. */
export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => Child;
  /** Whether the cell names the row. */
  readonly isRowHeader?: true;
  readonly class?: string;
}

/**
 * A table of rows. On a narrow page each row becomes a card, whose cells repeat the title of their column.
 * @param props.label says what the table lists, unless a heading does
 */
export function Table<T>(props: {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly label?: string;
  readonly class?: string;
}): Child {
  const { columns, rows, label } = props;
  return (
    <table class={props.class === undefined ? 'as-cards' : `as-cards ${props.class}`} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th scope="col">{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column) =>
              column.isRowHeader ? (
                <th scope="row" class={column.class}>
                  {column.cell(row)}
                </th>
              ) : (
                <td data-label={column.title} class={column.class}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Links to a page about one row. Its name says which row, and begins with the visible text (WCAG 2.5.3). */
export const RowLink: FC<{ page: Page; path: string; text: string; about: string }> = (props) => {
  const { page, path, text, about } = props;
  return (
    <a href={page.href(path)} aria-label={`${text}: ${about}`}>
      {text}
    </a>
  );
};

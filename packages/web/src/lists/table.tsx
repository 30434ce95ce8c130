import type { Child } from 'hono/jsx';

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

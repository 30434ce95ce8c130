import { html } from 'hono/html';
import type { Child } from 'hono/jsx';

/** One column of a table. */
export interface Column<T> {
  readonly title: string;
  /** Shown below the title. */
  readonly note?: Child;
  readonly cell: (row: T) => Child;
  /** Whether the cell names the row. */
  readonly isRowHeader?: true;
  /** Where the column is left out: on a `phone`, or already on a `narrow` page. The page of the row says it too. */
  readonly hiddenOn?: 'narrow' | 'phone';
  /** Whether the cell is clear without the title, which narrow pages then leave out. */
  readonly isClear?: true;
  /** `status`, `time`, `id` and `number` never wrap; `menu-cell` holds the menu of a row. */
  readonly class?: string;
}

/**
 * A table of rows. On a narrow page each row becomes two lines: its name and status, and below them the other cells,
 * each with the title of its column.
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
  const drawn = columns.map(drawnOnce);
  return (
    <div class={props.class === undefined ? 'table' : `table ${props.class}`}>
      <table aria-label={label}>
        <thead class={head === 'hidden' ? 'visually-hidden' : undefined}>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={classOf(column)}>
                {column.class === 'menu-cell' ? <span class="visually-hidden">{column.title}</span> : column.title}
                {column.note === undefined ? null : <small class="quiet"> {column.note}</small>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr {...rowAttributes?.(row)}>
              {drawn.map(({ cell, start, emptyStart, end }) => {
                const content = cell(row);
                return [content === '' ? emptyStart : start, content, end];
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Draws the tags of a column's cells once, not for each row: long tables are written in much less time. */
function drawnOnce<T>(column: Column<T>) {
  const { title, cell, isRowHeader, isClear } = column;
  const name = classOf(column);
  const attributes = name === undefined ? null : html` class="${name}"`;
  if (isRowHeader) {
    const start = html`<th scope="row"${attributes}>`;
    return { cell, start, emptyStart: start, end: html`</th>` };
  }
  const emptyStart = html`<td${attributes}>`;
  return {
    cell,
    start: isClear ? emptyStart : html`<td data-label="${title}"${attributes}>`,
    emptyStart,
    end: html`</td>`,
  };
}

function classOf({ class: name, hiddenOn }: Pick<Column<never>, 'class' | 'hiddenOn'>): string | undefined {
  return hiddenOn === undefined ? name : `${name ?? ''} not-on-${hiddenOn}`.trimStart();
}

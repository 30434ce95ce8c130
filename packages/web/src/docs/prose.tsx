import type { Child, FC } from 'hono/jsx';
import { Table } from '../parts/table.tsx';

/** A text of the document in one line: words between backticks are code. */
export const Inline: FC<{ text: string }> = ({ text }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>
);

/** A text of the document in paragraphs, which empty lines separate. */
export const Prose: FC<{ text: string }> = ({ text }) => (
  <>
    {text.split(/\n{2,}/).map((paragraph) => (
      <p>
        <Inline text={paragraph} />
      </p>
    ))}
  </>
);

/** A program or a message, with a button to copy it, which appears if JavaScript runs. */
export const Sample: FC<{ id: string; title: string; text: string }> = ({ id, title, text }) => (
  <div class="sample">
    <div class="sample-head">
      <span class="sample-title">{title}</span>
      <button
        type="button"
        class="link-button"
        data-copy={id}
        data-copied="Copied"
        data-not-copied="Could not copy. Press Ctrl+C or ⌘C."
        aria-label={`Copy: ${title}`}
        hidden
      >
        Copy
      </button>
      <span role="status" />
    </div>
    <pre id={id}>
      <code>{text}</code>
    </pre>
  </div>
);

/** Writes a value as indented JSON. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** A table of texts. The first cell of a row names it. */
export const TextTable: FC<{ label: string; head: readonly string[]; rows: readonly (readonly Child[])[] }> = ({
  label,
  head,
  rows,
}) => (
  <Table
    class="docs-table"
    label={label}
    columns={head.map((title, index) => ({
      title,
      cell: (row: readonly Child[]) => row[index],
      ...(index === 0 && { isRowHeader: true }),
    }))}
    rows={rows}
  />
);

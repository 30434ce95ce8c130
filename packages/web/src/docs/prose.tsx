import type { Child, FC, PropsWithChildren } from 'hono/jsx';

/** The script of the copy buttons. */
export const COPY_SCRIPT = 'copy.js';

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

/** A section with a heading of level 2 that links to itself. */
export const Section: FC<PropsWithChildren<{ id: string; title: string }>> = ({ id, title, children }) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** A table that reads as a list of cards on a narrow page. The first cell of a row names it. */
export const Table: FC<{ label: string; head: readonly string[]; rows: readonly (readonly Child[])[] }> = (
  props,
) => (
  <table class="docs-table" aria-label={props.label}>
    <thead>
      <tr>
        {props.head.map((title) => (
          <th scope="col">{title}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {props.rows.map(([name, ...cells]) => (
        <tr>
          <th scope="row">{name}</th>
          {cells.map((cell, index) => (
            <td data-label={props.head[index + 1]}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

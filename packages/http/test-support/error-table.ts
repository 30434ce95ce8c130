import { ERRORS, type ErrorEntry } from '../src/errors.ts';

/**
 * Prints the table of errors as Markdown, for a page of the docs and the test that checks it: the codes that the API
 * answers, ordered by status.
 */
export function errorTableMarkdown(): string {
  const answered = Object.entries(ERRORS).filter(([, { coreOnly }]) => coreOnly !== true);
  const ordered = answered.toSorted(
    ([a, one], [b, other]) => one.status - other.status || a.localeCompare(b, 'en'),
  );
  const rows = ordered.map(
    ([code, entry]) => `| ${entry.status} | \`${code}\` | ${textOf(entry)} | ${entry.meaning} |`,
  );
  return ['| Status | Code | Text | Meaning |', '|---|---|---|---|', ...rows, ''].join('\n');
}

function textOf({ message, reasons = {} }: ErrorEntry): string {
  return [message, ...Object.values(reasons)].map((text) => `\`${text}\``).join('<br>');
}

import type { Issue } from '@countersign/domain';
import type { FormValues } from '../forms/form-values.ts';
import { listInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';

/** Characters of a refused entry that its message quotes. */
const QUOTED_MAX = 100;

/** A refused line of a list that is entered as lines. */
export interface RefusedEntry {
  readonly entry: string;
  readonly code: Issue['code'];
}

/** Finds all refused lines of a list that is entered as lines; none if the issue is about the whole list. */
export function refusedEntries(
  name: string,
  issues: readonly Issue[],
  values: FormValues,
): readonly RefusedEntry[] {
  const lines = values.text(name).split('\n');
  const entries = lines.map((line) => line.trim()).filter((line) => line !== '');
  return issues.flatMap(({ path, code }) => {
    const index = path.startsWith(`${name}.`) ? path.slice(name.length + 1) : '';
    if (!/^\d+$/.test(index)) return [];
    const entry = entries[Number(index)] ?? '';
    return [{ entry: entry.length > QUOTED_MAX ? `${entry.slice(0, QUOTED_MAX)}…` : entry, code }];
  });
}

/** Quotes entries for a message that names them: `“a” and “b”`. */
export function quoted(entries: readonly RefusedEntry[], { t, language }: Page): string {
  return listInWords(
    entries.map(({ entry }) => t('site:quoted', { text: entry })),
    language,
  );
}

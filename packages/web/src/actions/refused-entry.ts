import type { Issue } from '@countersign/domain';
import type { FormValues } from '../forms/form-values.ts';

/** Characters of a refused entry that its message quotes. */
const QUOTED_MAX = 100;

/** Finds the first refused line of a list that is entered as lines; null if the issue is about the whole list. */
export function refusedEntry(
  name: string,
  issues: readonly Issue[],
  values: FormValues,
): { readonly entry: string; readonly code: Issue['code'] } | null {
  const isEntry = (path: string): boolean =>
    path.startsWith(`${name}.`) && /^\d+$/.test(path.slice(name.length + 1));
  const refused = issues.find(({ path }) => isEntry(path));
  if (refused === undefined) return null;
  const lines = values
    .text(name)
    .split('\n')
    .map((line) => line.trim());
  const entry = lines.filter((line) => line !== '')[Number(refused.path.slice(name.length + 1))] ?? '';
  return { entry: entry.length > QUOTED_MAX ? `${entry.slice(0, QUOTED_MAX)}…` : entry, code: refused.code };
}

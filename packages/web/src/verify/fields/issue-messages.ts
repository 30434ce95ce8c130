import type { Issue } from '@countersign/domain';
import { hasMessage, type Translate } from '../../site/messages.ts';
import type { FieldLabel, FieldSpec } from './field-spec.ts';
import { sameOrOther } from './read-field.ts';

/** The messages of what is wrong, by the field that each stands at, in the reader's language. */
export function issueMessages(
  t: Translate,
  fields: readonly FieldSpec[],
  issues: readonly Issue[],
): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  for (const issue of issues) {
    const { name, label, row } = placeOf(fields, issue.path);
    // One message a field: the first is the one to begin with.
    if (messages.has(name)) continue;
    const message = messageOf(t, label, issue);
    messages.set(
      name,
      row === undefined ? message : `${t(`verify:rows.${row.group}`, { number: row.number })}: ${message}`,
    );
  }
  return messages;
}

interface Place {
  /** The name of the field on the page. */
  readonly name: string;
  readonly label: FieldLabel | undefined;
  readonly row?: { readonly group: 'directors' | 'beneficialOwners' | 'seniorManagers'; readonly number: number };
}

function placeOf(fields: readonly FieldSpec[], path: string): Place {
  for (const field of fields) {
    const { name, label } = field;
    const rest = path === name ? '' : path.startsWith(`${name}.`) ? path.slice(name.length + 1) : null;
    if (field.as === 'other_address') {
      const place = placeOf(field.fields, path);
      if (place.label !== undefined) return place;
      if (rest === '') return { name: sameOrOther(name), label };
    }
    if (rest === null) continue;
    if (field.as === 'rows' && rest !== '') {
      const [index = '', part = ''] = rest.split(/\.(.*)/);
      const inner = field.fields.find((candidate) => candidate.name === part);
      return { name: path, label: inner?.label, row: { group: field.label, number: Number(index) + 1 } };
    }
    if (field.as === 'countries') return { name: rest === '' ? `${name}.0` : path, label };
    return { name, label };
  }
  return { name: path, label: undefined };
}

function messageOf(t: Translate, label: FieldLabel | undefined, issue: Issue): string {
  const { code = 'invalid', limit } = issue;
  const values = {
    label: label === undefined ? t('verify:fields.unknown') : t(`verify:fields.${label}`),
    ...(limit !== undefined && { limit }),
  };
  for (const key of [`verify:issues.${label}_${code}`, `verify:issues.${label}_any`]) {
    if (hasMessage(key)) return t(key, values);
  }
  return t(`site:issues.${code}`, values);
}

import type { ErrorCode } from '@countersign/domain';
import type { ActionEntry } from '@countersign/domain/actions';
import type { FieldTexts } from '../forms/draw-field.tsx';
import { issueText } from '../forms/issue-messages.ts';
import { findText, type Translate } from '../site/messages.ts';

/** The texts of an action, in the reader's language. */
export interface ActionTexts extends FieldTexts {
  /** What the action does, for menus and the audit log: `Revoke a key`. */
  readonly name: string;
  /** The heading of its page. */
  readonly title: string;
  /** The label of its button. */
  readonly submit: string;
  /** What follows from the action, or undefined. */
  readonly explain: string | undefined;
  /** What a refusal means, and what to do. `values` are filled in. */
  outcome(code: ErrorCode, values?: Readonly<Record<string, string>>): string;
}

/** Looks up the texts of an action: `actions:{id}.title`. Texts of fields may be shared: `actions:fields.{key}`. */
export function actionTexts(t: Translate, { id }: Pick<ActionEntry, 'id'>): ActionTexts {
  const find = (...names: readonly string[]): string | undefined => findText(t, names);
  const own = (part: string): string => `actions:${id}.${part}`;
  const name = find(own('name')) ?? id;
  const label = (path: string): string => {
    const key = keyOf(path);
    return find(own(`fields.${key}`), `actions:fields.${key}`) ?? key;
  };
  const row = (path: string, index: number): string =>
    findText(t, [`actions:rows.${path}`], { number: String(index + 1) }) ?? `${label(path)} ${index + 1}`;
  return {
    name,
    title: find(own('title')) ?? name,
    submit: find(own('submit')) ?? name,
    explain: find(own('explain')),
    outcome: (code, values) => findText(t, [own(`outcomes.${code}`), `actions:outcomes.${code}`], values) ?? code,
    label,
    row,
    hint: (path) => find(own(`hints.${path}`), `actions:hints.${path}`),
    choice: (path, value) =>
      findText(t, [`actions:choices.${path}.${value}`, `actions:choices.${path}.any`], { value }) ?? String(value),
    choiceHint: (path, value) => find(`actions:choiceHints.${path}.${value}`),
    noChoice: (path) => find(`actions:noChoice.${path}`),
    addRow: (path) => find(`actions:addRow.${path}`) ?? t('verify:rows.addAnother', { label: label(path) }),
    removeRow: (path, index) => t('verify:rows.removeThis', { row: row(path, index) }),
    sameOrOther: (value) => t(`verify:addressChoices.${value}`),
    issue: (path, issue) =>
      issueText(t, issue, path === null ? null : label(path), (code) => {
        const key = path === null ? null : keyOf(path);
        return [`actions:${id}.issues`, 'actions:issues'].flatMap((area) => [
          `${area}.${key}_${code}`,
          `${area}.${key}_any`,
        ]);
      }),
  };
}

/** The key of a field; of an item in a list, the key of the list: `permissions.1`. */
function keyOf(path: string): string {
  return (
    path
      .split('.')
      .filter((part) => !/^\d+$/.test(part))
      .at(-1) ?? path
  );
}

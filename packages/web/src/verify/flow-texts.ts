import { type Issue, textKeysOf } from '@countersign/domain';
import type { FieldTexts } from '../forms/draw-field.tsx';
import { hasMessage, type MessageKey, type Translate } from '../site/messages.ts';

/** Returns the texts of a step's fields. The text of a place, `placeOfBirth.city`, comes before that of its key, `city`. */
export function flowTexts(t: Translate, step: string): FieldTexts {
  const label = (path: string): string => {
    const name = firstText(keysOf(step, path).map((key) => `verify:fields.${key}`));
    return name === null ? (path.split('.').at(-1) ?? path) : t(name);
  };
  const row = (path: string, index: number): string => {
    const name = `verify:rows.${path}`;
    return hasMessage(name) ? t(name, { number: index + 1 }) : `${label(path)} ${index + 1}`;
  };
  return {
    label,
    row,
    hint(path) {
      const name = firstText(keysOf(step, path).map((key) => `verify:hints.${key}`));
      return name === null ? undefined : t(name);
    },
    choice(_path, value) {
      const name = `verify:choices.${value}`;
      return hasMessage(name) ? t(name) : String(value);
    },
    addRow(path) {
      const name = `verify:rows.add.${path}`;
      return hasMessage(name) ? t(name) : t('verify:rows.addAnother', { label: label(path) });
    },
    removeRow(path, index) {
      const name = `verify:rows.remove.${path}`;
      return hasMessage(name)
        ? t(name, { number: index + 1 })
        : t('verify:rows.removeThis', { row: row(path, index) });
    },
    sameOrOther: (value) => t(`verify:addressChoices.${value}`),
    issue: (path, issue) => issueText(t, step, path, issue, label),
  };
}

/** Returns the title of a page. */
export function pageTitle(t: Translate, slug: string): string {
  const name = `verify:pages.${slug}.title`;
  return hasMessage(name) ? t(name) : slug;
}

function issueText(
  t: Translate,
  step: string,
  path: string | null,
  { code = 'invalid', limit }: Issue,
  labelOf: (path: string) => string,
): string {
  const label = path === null ? t('verify:fields.unknown') : labelOf(path);
  const values = { label, ...(limit !== undefined && { limit }) };
  const keys = path === null ? [] : keysOf(step, path);
  const name = firstText(keys.flatMap((key) => [`verify:issues.${key}_${code}`, `verify:issues.${key}_any`]));
  return name === null ? t(`site:issues.${code}`, values) : t(name, values);
}

/** Keys of texts have no dots: `placeOfBirth-city`, `city`. */
function keysOf(step: string, path: string): string[] {
  return textKeysOf(step, path).map((key) => key.replaceAll('.', '-'));
}

function firstText(names: readonly string[]): MessageKey | null {
  return names.find(hasMessage) ?? null;
}

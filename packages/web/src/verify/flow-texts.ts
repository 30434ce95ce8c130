import { type Issue, textKeysOf } from '@countersign/domain';
import { hasMessage, type MessageKey, type Translate } from '../site/messages.ts';

/** Texts of a flow that are looked up by data. Without a text, the key itself is shown. */
export interface FlowTexts {
  readonly t: Translate;
  readonly step: string;
}

/** Returns the label of the field at a path. */
export function labelOf({ t, step }: FlowTexts, path: string): string {
  const name = firstText(keysOf(step, path).map((key) => `verify:fields.${key}`));
  return name === null ? (path.split('.').at(-1) ?? path) : t(name);
}

/** Returns the hint of the field at a path, or undefined. */
export function hintOf({ t, step }: FlowTexts, path: string): string | undefined {
  const name = firstText(keysOf(step, path).map((key) => `verify:hints.${key}`));
  return name === null ? undefined : t(name);
}

/** Returns the label of a choice. */
export function choiceLabel(t: Translate, value: string | number): string {
  const name = `verify:choices.${value}`;
  return hasMessage(name) ? t(name) : String(value);
}

/** Returns the title of a page. */
export function pageTitle(t: Translate, slug: string): string {
  const name = `verify:pages.${slug}.title`;
  return hasMessage(name) ? t(name) : slug;
}

/** Returns the caption of one row, such as `Director 2`. */
export function rowLabel(texts: FlowTexts, path: string, index: number): string {
  const values = { number: index + 1 };
  const name = `verify:rows.${path}`;
  return hasMessage(name) ? texts.t(name, values) : `${labelOf(texts, path)} ${index + 1}`;
}

/** Returns the label of the button that adds a row. */
export function addRowLabel(texts: FlowTexts, path: string): string {
  const name = `verify:rows.add.${path}`;
  return hasMessage(name) ? texts.t(name) : texts.t('verify:rows.addAnother', { label: labelOf(texts, path) });
}

/** Returns the label of the button that removes a row. */
export function removeRowLabel(texts: FlowTexts, path: string, index: number): string {
  const name = `verify:rows.remove.${path}`;
  const row = rowLabel(texts, path, index);
  return hasMessage(name) ? texts.t(name, { number: index + 1 }) : texts.t('verify:rows.removeThis', { row });
}

/** Returns the message for an issue. @param path path of a field of the step, or null for an unknown field */
export function issueText(texts: FlowTexts, path: string | null, { code = 'invalid', limit }: Issue): string {
  const { t, step } = texts;
  const label = path === null ? t('verify:fields.unknown') : labelOf(texts, path);
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

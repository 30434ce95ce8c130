import type { ActionItem, SubjectType, Verification } from '@countersign/domain';
import { isWithin, type PlannedPart, pageOfPath, stepOf, textKeysOf } from '@countersign/domain/flows';
import type { FieldTexts } from '../forms/draw-field.tsx';
import type { FormValues } from '../forms/form-values.ts';
import { issueText } from '../forms/issue-messages.ts';
import { stepName } from '../forms/step-name.ts';
import { findText, type Translate } from '../site/messages.ts';
import { type AddressTexts, addressTexts } from './address-texts.ts';

/**
 * Returns the texts of a step's fields. The text of a path, `placeOfBirth.city`, comes before that of its key, `city`, and the text of
 * a type of subject, `accepted_kyb`, before that of all.
 * @param address the texts of addresses by their country, which come before all
 */
export function flowTexts(t: Translate, step: string, type?: SubjectType, address?: AddressTexts): FieldTexts {
  // Keys of texts have no dots: `placeOfBirth-city`, `city`.
  const keysOf = (path: string): string[] => textKeysOf(step, path).map((key) => key.replaceAll('.', '-'));
  const find = (area: string, path: string): string | undefined =>
    findText(
      t,
      keysOf(path).flatMap((key) => [
        ...(type === undefined ? [] : [`verify:${area}.${key}_${type}`]),
        `verify:${area}.${key}`,
      ]),
    );
  const label = (path: string): string =>
    address?.label(path) ?? find('fields', path) ?? path.split('.').at(-1) ?? path;
  const row = (path: string, index: number): string =>
    findText(t, [`verify:rows.${path}`], { number: index + 1 }) ?? `${label(path)} ${index + 1}`;
  return {
    label,
    row,
    hint: (path) => find('hints', path),
    absent: (path) => find('absent', path),
    choice: (_path, value) => findText(t, [`verify:choices.${value}`]) ?? String(value),
    addRow: (path) =>
      findText(t, [`verify:rows.add.${path}`]) ?? t('verify:rows.addAnother', { label: label(path) }),
    removeRow: (path, index) =>
      findText(t, [`verify:rows.remove.${path}`], { number: index + 1 }) ??
      t('verify:rows.removeThis', { row: row(path, index) }),
    sameOrOther: (value) => t(`verify:addressChoices.${value}`),
    issue: (path, issue) =>
      address?.issue(path ?? '', issue) ??
      issueText(t, issue, path === null ? null : label(path), (code) =>
        keysOf(path ?? '').flatMap((key) => [`verify:issues.${key}_${code}`, `verify:issues.${key}_any`]),
      ),
  };
}

/**
 * Returns the texts of the fields of a screen, which may have parts of several steps.
 * @param values of the form, whose countries decide what the parts of addresses are called
 */
export function screenTexts(
  t: Translate,
  parts: readonly PlannedPart[],
  type: SubjectType,
  values: FormValues,
): FieldTexts {
  const ofStep = new Map(
    parts.map(({ step }) => {
      const fields = parts.filter((part) => part.step === step).flatMap((part) => part.fields);
      return [step, flowTexts(t, step, type, addressTexts(t, fields, values))] as const;
    }),
  );
  const [first] = ofStep.values();
  const of = (path: string | null): FieldTexts => {
    const part = parts.find(({ fields }) => fields.some((field) => path !== null && isWithin(path, field.path)));
    const texts = (part === undefined ? undefined : ofStep.get(part.step)) ?? first;
    if (texts === undefined) throw new Error('The screen has no part');
    return texts;
  };
  return {
    label: (path) => of(path).label(path),
    hint: (path) => of(path).hint(path),
    absent: (path) => of(path).absent?.(path),
    choice: (path, value) => of(path).choice(path, value),
    row: (path, index) => of(path).row(path, index),
    addRow: (path) => of(path).addRow(path),
    removeRow: (path, index) => of(path).removeRow(path, index),
    sameOrOther: (value) => of(null).sameOrOther(value),
    issue: (path, issue) => of(path ?? issue.path).issue(path, issue),
  };
}

/** Names what a reviewer asks for: a step, a page that has the field alone, or the field. */
export function askedTitle(
  t: Translate,
  { flow, type }: Pick<Verification, 'flow' | 'type'>,
  { step: key, field }: Pick<ActionItem, 'step' | 'field'>,
): string {
  const step = stepOf(flow, key);
  if (field === undefined || step === null) return stepName(t, key, type);
  const page = pageOfPath(step, field);
  return page?.fields.length === 1 ? pageTitle(t, page.slug) : flowTexts(t, key, type).label(field);
}

/** Returns the title of a page or a screen. */
export function pageTitle(t: Translate, slug: string): string {
  return findText(t, [`verify:pages.${slug}.title`]) ?? slug;
}

import { SUBJECT_TYPES } from '@countersign/domain';
import { EVIDENCE_KINDS } from '@countersign/domain/evidence';
import {
  currentFlow,
  type PlacedField,
  placedFields,
  stepOf,
  stepsOf,
  textKeysOf,
} from '@countersign/domain/flows';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../site/language.ts';
import { hasMessage, MESSAGES, translator } from '../site/messages.ts';
import { flowTexts } from './flow-texts.ts';

const t = translator('en');
const steps = SUBJECT_TYPES.flatMap((type) =>
  stepsOf(currentFlow(type)).map((step) => ({ step, definition: stepOf(currentFlow(type), step) })),
);
/** Fields with a control of their own: not supplied by page or server, no file, no plain group. */
const isDrawn = ({ field }: PlacedField): boolean =>
  field.by === undefined && field.kind !== 'file' && (field.kind !== 'group' || field.sameAs !== undefined);
const hasText = (area: string, step: string, path: string): boolean =>
  textKeysOf(step, path).some((key) => hasMessage(`verify:${area}.${key.replaceAll('.', '-')}`));

describe('texts of the built-in flows', () => {
  it('every drawn field has a label', () => {
    const missing = steps.flatMap(({ step, definition }) =>
      placedFields(definition?.fields ?? {})
        .filter((placed) => isDrawn(placed) && !hasText('fields', step, placed.path))
        .map(({ path }) => `${step}.${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('every choice, page and group of rows has its texts', () => {
    const names = steps.flatMap(({ definition }) => [
      ...(definition?.pages ?? [])
        .filter(({ slug }) => slug !== 'check')
        .map(({ slug }) => `verify:pages.${slug}.title`),
      ...placedFields(definition?.fields ?? {}).flatMap(({ path, field }) => {
        if (field.kind === 'choice') return field.of.map((value) => `verify:choices.${value}`);
        if (field.kind !== 'rows') return [];
        return [`verify:rows.${path}`, `verify:rows.add.${path}`, `verify:rows.remove.${path}`];
      }),
    ]);
    expect(names.filter((name) => !hasMessage(name))).toEqual([]);
  });
});

/** Names the texts of kinds of files that a language does not have. */
function missingKindTexts(kinds: readonly string[], texts: object): string[] {
  const names = kinds.flatMap((kind) => [
    ...['title', 'advice', 'label', 'alt'].map((part) => `capture:kind.${kind}.${part}`),
    `wording:kind.${kind}`,
  ]);
  return names.filter((name) => typeof valueAt(texts, name.split(/[:.]/)) !== 'string');
}

describe.each(LANGUAGES)('texts of the kinds of files, in %s', (language) => {
  it('every kind has its texts', () => {
    expect(missingKindTexts(EVIDENCE_KINDS, MESSAGES[language])).toEqual([]);
  });

  it('a kind without texts is named', () => {
    expect(missingKindTexts(['lease'], MESSAGES[language])).toEqual([
      'capture:kind.lease.title',
      'capture:kind.lease.advice',
      'capture:kind.lease.label',
      'capture:kind.lease.alt',
      'wording:kind.lease',
    ]);
  });
});

/** Returns what an object holds at a path. */
function valueAt(part: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return part;
  return typeof part === 'object' && part !== null ? valueAt(Reflect.get(part, key), rest) : undefined;
}

describe('looking up a text', () => {
  const texts = flowTexts(t, 'ownership');

  it('label prefers the specific text of a place over the general text of its key', () => {
    expect(texts.label('beneficialOwners.0.country')).toBe('Country of residence');
    expect(flowTexts(t, 'address').label('country')).toBe('Country');
  });

  it('an unknown field is shown by its key, an unknown row by its number', () => {
    expect(texts.label('shoeSize')).toBe('shoeSize');
    expect(texts.hint('shoeSize')).toBeUndefined();
    expect(texts.row('pets', 1)).toBe('pets 2');
  });

  it('issue prefers a message of the field over the general one of the code', () => {
    const issue = (code: 'required' | 'document_expired') => ({ path: '', message: '', code });
    expect(flowTexts(t, 'document').issue('expiresOn', issue('document_expired'))).toContain('has expired');
    expect(flowTexts(t, 'representative').issue('document.type', issue('required'))).toContain('which document');
    expect(texts.issue('directors.0.firstName', issue('required'))).toContain('First name');
  });
});

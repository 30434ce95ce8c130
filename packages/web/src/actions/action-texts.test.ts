import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERMISSIONS } from '@countersign/domain';
import * as actionExports from '@countersign/domain/actions';
import { ACTIONS, type ActionEntry, defineAction } from '@countersign/domain/actions';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../site/language.ts';
import { hasMessage, translator } from '../site/messages.ts';
import { isAnsweredByArea } from './action-page.tsx';
import { actionTexts } from './action-texts.ts';

const SRC = join(import.meta.dirname, '..');

/** The actions with a page: those that a `…-actions.tsx` mounts, and others that have a title. */
function actionsWithPage(): ActionEntry[] {
  const names = globSync('**/*-actions.tsx', { cwd: SRC }).flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/^\s+action: (\w+),/gm)].map(([, name = '']) => name),
  );
  const exported: Readonly<Record<string, unknown>> = actionExports;
  return ACTIONS.filter(
    (action) => names.some((name) => exported[name] === action) || hasMessage(`actions:${action.id}.title`),
  );
}

/** Texts that no page shows: permissions are shown as the API names them, and these flags follow from other controls. */
const OWN_CONTROLS: readonly string[] = [
  ...PERMISSIONS.map((permission) => `actions:choices.permissions.${permission}`),
  'actions:clients.change_subscription.fields.planLimit',
  'actions:clients.change_subscription.fields.openEnded',
  'actions:retention.erase.fields.withdraw',
];

/** Names the texts that the page of an action needs for its fields and their choices, and does not have. */
function missingFieldTexts({ id, fields }: ActionEntry): string[] {
  const firstOf = (...names: readonly string[]): string[] => (names.some(hasMessage) ? [] : [names[0] ?? '']);
  return Object.entries(fields).flatMap(([key, field]) => {
    if (field.by !== undefined && field.by !== 'subject') return [];
    const label = firstOf(`actions:${id}.fields.${key}`, `actions:fields.${key}`);
    const choice = field.kind === 'list' ? field.each : field;
    if (choice.kind !== 'choice') return label;
    const area = `actions:choices.${key}`;
    return [...label, ...choice.of.flatMap((value) => firstOf(`${area}.${String(value)}`, `${area}.any`))];
  });
}

/** Whether a text exists in the language: a missing one is shown as its key. */
function isTranslated(text: string, { id }: ActionEntry): boolean {
  return text !== '' && !text.includes(`${id}.`) && !text.startsWith('outcomes.');
}

// A text that lacks its translation does not compile.
it.each(actionsWithPage().map((action) => ({ id: action.id, action })))(
  '$id: each field and each choice has a text',
  ({ action }) => {
    expect(missingFieldTexts(action).filter((name) => !OWN_CONTROLS.includes(name))).toEqual([]);
  },
);

it('a field and a choice without a text are named', () => {
  const flag = defineAction<{ readonly level: 'low'; readonly until: string }, void>({
    id: 'clients.flag',
    who: ['operator'],
    fields: { level: { kind: 'choice', of: ['low'] }, until: { kind: 'date' } },
    outcomes: [],
    run: async () => undefined,
  });
  expect(missingFieldTexts(flag)).toEqual([
    'actions:clients.flag.fields.level',
    'actions:choices.level.low',
    'actions:clients.flag.fields.until',
  ]);
});

describe.each(LANGUAGES)('texts of actions with a page, in %s', (language) => {
  const pages = actionsWithPage().map((action) => ({ id: action.id, action }));

  it('the pages are found', () => {
    expect(pages.length).toBeGreaterThanOrEqual(9);
  });

  it.each(pages)('$id: title, submit and a text for each outcome', ({ action }) => {
    const texts = actionTexts(translator(language), action);
    for (const part of ['title', 'submit'] as const) {
      expect(hasMessage(`actions:${action.id}.${part}`), part).toBe(true);
      expect(isTranslated(texts[part], action), texts[part]).toBe(true);
    }
    for (const code of action.outcomes.filter((code) => !isAnsweredByArea(code))) {
      const text = texts.outcome(code);
      expect(text).not.toBe(code);
      expect(isTranslated(text, action), text).toBe(true);
    }
  });
});

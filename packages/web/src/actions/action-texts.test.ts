import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as domain from '@countersign/domain';
import { ACTIONS, type ActionEntry } from '@countersign/domain';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../site/language.ts';
import { hasMessage, translator } from '../site/messages.ts';
import { isAnsweredByArea } from './action-page.tsx';
import { actionTexts } from './action-texts.ts';

const SRC = join(import.meta.dirname, '..');

/** The actions whose page is drawn from their entry: those that a `…-actions.tsx` mounts. */
function actionsWithPage(): ActionEntry[] {
  const names = globSync('**/*-actions.tsx', { cwd: SRC }).flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/^\s+action: (\w+),/gm)].map(([, name = '']) => name),
  );
  const exported: Readonly<Record<string, unknown>> = domain;
  return ACTIONS.filter((action) => names.some((name) => exported[name] === action));
}

/** Whether a text exists in the language: a missing one is shown as its key. */
function isTranslated(text: string, { id }: ActionEntry): boolean {
  return text !== '' && !text.includes(`${id}.`) && !text.startsWith('outcomes.');
}

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

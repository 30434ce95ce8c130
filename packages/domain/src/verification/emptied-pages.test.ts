import { beforeEach, describe, expect, it } from 'vitest';
import { CONTEXT, completed, completing, file, LINK_CONTEXT, NOW } from '../../test-support/verifications.ts';
import { answerScreen } from './answer-screen.ts';
import { emptiedPages, rememberEmptied, withoutDraft } from './emptied-pages.ts';
import { BUILT_IN_FLOWS, type ScreenPart, type StepKey, stepOf } from './flow.ts';
import { fromRecord } from './from-record.ts';
import { replacedUploads } from './replaced-uploads.ts';
import { askForAction } from './reviewer-moves.ts';
import { attachFile, submit } from './subject-moves.ts';
import type { Verification } from './verification.ts';
import { toRecord } from './verification-record.ts';

const FILES = [
  ['registrationExtractFileId', 'registration_extract'],
  ['articlesFileId', 'articles'],
  ['ownershipChartFileId', 'ownership_chart'],
] as const;
const OLD = Object.fromEntries(FILES);
const OPTIONAL = ['articlesFileId', 'ownershipChartFileId'] as const;

/** A business that sent each of `FILES`, submitted. */
let business: Verification;

beforeEach(() => {
  let current = completed('kyb');
  for (const kind of ['articles', 'ownership_chart'] as const) {
    current = attachFile(current, file('documents', kind)).next;
  }
  business = submit(completing(current, 'documents', OLD), NOW).next;
});

/** The same, asked to send some files again, which are uploaded already; without fields, those of the whole step. */
function asked(fields: readonly string[] = []): Verification {
  const items = (fields.length === 0 ? [{}] : fields.map((field) => ({ field }))).map((item) => ({
    step: 'documents',
    reasonCode: 'document_glare',
    ...item,
  }));
  const { next } = askForAction(business, { items }, LINK_CONTEXT);
  return FILES.reduce<Verification>(
    (current, [, kind]) => attachFile(current, file('documents', kind, `new ${kind}`)).next,
    next,
  );
}

const answer = (verification: Verification, screen: string, input: unknown) =>
  answerScreen(verification, { screen, input }, CONTEXT);

/** Answers a screen, and reads the verification as it is stored. */
function answered(verification: Verification, screen: string, input: unknown): Verification {
  const { transition } = answer(verification, screen, input);
  const next = transition !== null && 'length' in transition ? transition.at(-1)?.next : transition?.next;
  if (next === undefined) throw new Error('Nothing changed');
  return fromRecord(toRecord(next), BUILT_IN_FLOWS);
}

describe('an optional file that the subject leaves out in a redo', () => {
  it('the answers no longer name it if it was asked by field before another one, and it counts as replaced', () => {
    const without = answered(asked(OPTIONAL), 'articles', {});
    expect(without).toMatchObject({
      awaiting: ['documents'],
      emptiedPages: [{ step: 'documents', page: 'articles' }],
    });
    const redone = answered(without, 'ownership-chart', { ownershipChartFileId: 'new ownership_chart' });
    expect(redone.steps.documents?.answers).toEqual({
      registrationExtractFileId: 'registration_extract',
      ownershipChartFileId: 'new ownership_chart',
    });
    expect([...replacedUploads(redone).keys()]).toEqual(['articles', 'ownership_chart']);
    expect(redone).toMatchObject({ awaiting: [], uploadsCheckAt: NOW });
    expect(redone).toHaveProperty('emptiedPages', undefined);
  });

  it('the answers no longer name it at the end of a whole step', () => {
    let current = answered(asked(), 'registration-extract', {
      registrationExtractFileId: 'new registration_extract',
    });
    for (const screen of ['articles', 'ownership-chart', 'business-proof-of-address']) {
      current = answered(current, screen, {});
    }
    expect(current.steps.documents?.answers).toEqual({ registrationExtractFileId: 'new registration_extract' });
  });

  it('a file that is sent after all counts', () => {
    const without = answered(asked(OPTIONAL), 'articles', {});
    const sent = answered(without, 'articles', { articlesFileId: 'new articles' });
    expect(sent).toHaveProperty('emptiedPages', undefined);
    const { answers } = answered(sent, 'ownership-chart', {}).steps.documents ?? {};
    expect(answers).toEqual({
      registrationExtractFileId: 'registration_extract',
      articlesFileId: 'new articles',
    });
  });

  it('the page is remembered once if it is left out twice', () => {
    const again = answered(answered(asked(OPTIONAL), 'articles', {}), 'articles', {});
    expect(again).toHaveProperty('emptiedPages', [{ step: 'documents', page: 'articles' }]);
  });

  it('a correction after the step was redone is not remembered', () => {
    const sent = answered(asked(['articlesFileId']), 'articles', { articlesFileId: 'new articles' });
    const { answers } = answered(sent, 'articles', {}).steps.documents ?? {};
    expect(answers).not.toHaveProperty('articlesFileId');
    expect(answered(sent, 'articles', {})).toHaveProperty('emptiedPages', undefined);
  });

  it('the content is free for another place', () => {
    const without = answered(asked(OPTIONAL), 'articles', {});
    const articles = without.files.find(({ id }) => id === 'articles');
    const same = { ...file('documents', 'ownership_chart', 'chart'), sha256: articles?.sha256 ?? '' };
    const sent = attachFile(without, same).next;
    const { answers } = answered(sent, 'ownership-chart', { ownershipChartFileId: 'chart' }).steps.documents ?? {};
    expect(answers).toMatchObject({ ownershipChartFileId: 'chart' });
  });

  it('a page that the subject only passed by keeps its file and is asked before the step is completed', () => {
    const last = answer(asked(OPTIONAL), 'ownership-chart', {});
    expect(last.screenToCorrect).toBe('articles');
    expect(last.transition).toMatchObject({ next: { awaiting: ['documents'] } });
  });
});

describe('the pages that a redo of two steps remembers as left empty', () => {
  const at = (step: StepKey, page: string): ScreenPart => ({ step, page });
  const OTHER = at('ownership', 'ownership');

  /** A redo with the draft of the step with files. */
  function redo(
    remembered: readonly ScreenPart[],
    documents: Verification['drafts']['documents'] = {},
    awaiting: readonly StepKey[] = ['documents', 'ownership'],
  ): Verification {
    const current = asked(OPTIONAL);
    if (current.status !== 'action_needed') throw new Error('It is no redo');
    return { ...current, awaiting, emptiedPages: remembered, drafts: { documents } };
  }
  function remember(verification: Verification, fields: readonly string[]): Verification {
    const step = stepOf(verification.flow, 'documents') ?? expect.fail();
    return rememberEmptied(verification, { key: 'documents', step }, fields);
  }

  it('the pages of each step are listed alone', () => {
    const current = redo([at('documents', 'articles'), OTHER]);
    expect(emptiedPages(current, 'documents')).toEqual(['articles']);
    expect(emptiedPages(current, 'ownership')).toEqual(['ownership']);
  });

  it('the pages that were answered replace those remembered of their step, also by as many', () => {
    const drafted = { articlesFileId: 'new articles' };
    const current = remember(redo([OTHER, at('documents', 'articles')], drafted), OPTIONAL);
    expect(current).toHaveProperty('emptiedPages', [OTHER, at('documents', 'ownership-chart')]);
  });

  it('a step that the redo no longer awaits is not remembered', () => {
    const current = redo([OTHER], {}, ['ownership']);
    expect(remember(current, OPTIONAL)).toBe(current);
  });

  it('the draft of a step ends with what is remembered of it alone', () => {
    const current = redo([at('documents', 'articles'), OTHER], { ownershipChartFileId: 'new ownership_chart' });
    expect(withoutDraft(current, 'documents')).toMatchObject({ drafts: {}, emptiedPages: [OTHER] });
  });
});

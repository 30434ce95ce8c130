import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../input/json.ts';
import { currentFlow } from './flow.ts';
import { parseStoredAnswers } from './stored-documents.ts';

const TIME = '2026-03-01T10:00:00.000Z';
const completed = (answers: JsonObject) => ({ answers, completedAt: TIME, version: 2 });
const earlier = (step: string, answers: JsonObject) => ({ step, ...completed(answers), replacedAt: TIME });

/** Parses with a flow that was never parsed with before, and then again. */
function parsed(stored: JsonObject): unknown {
  const flow = { ...currentFlow('kyc') };
  parseStoredAnswers({}, flow);
  return parseStoredAnswers(stored, flow);
}

describe('stored answers', () => {
  it.each([
    {},
    { formatVersion: 1 },
    { steps: { person: completed({ firstName: 'x'.repeat(1000), gone: 1 }) } },
    { steps: { gone: completed({ any: 1 }) } },
    { drafts: { person: { firstName: '' }, gone: { any: 1 } } },
    { earlier: [earlier('person', { firstName: '' }), earlier('gone', { any: 1 })] },
  ])('stored answers are kept as they are: %j', (stored) => {
    expect(parsed(stored)).toEqual(stored);
  });

  it.each<[JsonObject, place: string]>([
    [{ formatVersion: 2 }, 'answers.formatVersion'],
    [{ steps: { person: completed({ firstName: 1 }) } }, 'answers.steps.person.answers.firstName'],
    [{ steps: { person: { answers: {} } } }, 'answers.steps.person.completedAt, answers.steps.person.version'],
    [{ steps: { gone: {} } }, 'answers.steps.gone.answers'],
    [{ drafts: { person: { firstName: 1 } } }, 'answers.drafts.person.firstName'],
    [{ drafts: { gone: 1 } }, 'answers.drafts.gone'],
    [{ earlier: [earlier('person', { firstName: 1 })] }, 'answers.earlier.0.answers.firstName'],
    [{ earlier: [{ ...earlier('person', {}), replacedAt: 'then' }] }, 'answers.earlier.0.replacedAt'],
  ])('%j cannot be read', (stored, place) => {
    expect(() => parsed(stored)).toThrow(place);
  });
});

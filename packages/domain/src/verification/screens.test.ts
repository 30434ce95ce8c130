import { describe, expect, it } from 'vitest';
import { defineStep } from '../fields/step.ts';
import { checkFlows } from './check-flows.ts';
import { BUILT_IN_FLOWS, type Flow, type Screen, type StepKey, SUBJECT_TYPES, stepsOf } from './flow.ts';
import { screenOfPage, screensOf } from './screens.ts';

const one = defineStep<{ readonly a: string; readonly b: string }>({
  fields: { a: { kind: 'text', max: 10 }, b: { kind: 'text', max: 10 } },
  pages: { a: ['a'], b: ['b'] },
});
const two = defineStep<{ readonly b: string; readonly c: string; readonly fileId: string }>({
  fields: {
    b: { kind: 'text', max: 10 },
    c: { kind: 'text', max: 10 },
    fileId: { kind: 'file', evidence: 'selfie' },
  },
  pages: { other: ['b'], c: ['c'], file: ['fileId'] },
});

const part = (step: StepKey, page: string) => ({ step, page });
const A = part('consent', 'a');
const B = part('consent', 'b');
const OTHER = part('person', 'other');
const C = part('person', 'c');
const FILE = part('person', 'file');
const screen = (slug: string, ...parts: Screen['parts']): Screen => ({ slug, parts });

const STEPS: Flow['steps'] = { consent: one, person: two };

const flowOf = (screens: readonly Screen[], steps = STEPS): Flow => ({
  type: 'kyc',
  version: 1,
  steps,
  screens,
});
const check = (screens: readonly Screen[], steps = STEPS) =>
  checkFlows({ ...BUILT_IN_FLOWS, kyc: [flowOf(screens, steps)] });

const withText = (text: string) => expect.objectContaining({ message: expect.stringContaining(text) as string });

describe('the screens of a flow', () => {
  it('the default is its pages: flow version 1 has one screen for each', () => {
    for (const type of SUBJECT_TYPES) {
      const [first] = BUILT_IN_FLOWS[type];
      if (first === undefined) throw new Error('There is no version 1');
      const slugs = stepsOf(first).flatMap((key) => first.steps[key]?.pages.map(({ slug }) => slug) ?? []);
      expect(screensOf(first).map(({ slug, parts }) => [slug, parts.map(({ page }) => page)])).toEqual(
        slugs.map((slug) => [slug, [slug]]),
      );
    }
  });

  it('a screen may have parts of several steps', () => {
    expect(() =>
      check([screen('a', A), screen('b', B), screen('both', OTHER, C), screen('file', FILE)]),
    ).not.toThrow();
  });

  it.each<[string, readonly Screen[], string]>([
    [
      'a page without a screen',
      [screen('a', A), screen('b', B), screen('other', OTHER), screen('c', C)],
      'person',
    ],
    ['a page on two', [screen('a', A), screen('b', B, A), screen('c', OTHER, C), screen('file', FILE)], 'consent'],
    [
      'two screens with one slug',
      [screen('a', A), screen('a', B), screen('c', OTHER, C), screen('file', FILE)],
      'slug a',
    ],
    ['a page that does not exist', [screen('a', A, part('consent', 'x'))], 'no page'],
    ['a page of a step that the flow lacks', [screen('a', A, part('selfie', 'selfie'))], 'no page'],
    [
      'two parts with one field',
      [screen('a', A), screen('b', B, OTHER), screen('c', C), screen('file', FILE)],
      'field b',
    ],
    [
      'a file beside another part',
      [screen('a', A), screen('b', B), screen('other', OTHER), screen('c', C, FILE)],
      'alone',
    ],
    [
      'pages against their order',
      [screen('b', B), screen('a', A), screen('c', OTHER, C), screen('file', FILE)],
      'order',
    ],
    [
      'a screen before the end of an earlier step',
      [screen('a', A), screen('other', OTHER), screen('b', B), screen('c', C), screen('file', FILE)],
      'earlier step',
    ],
  ])('%s is refused', (_, screens, message) => {
    expect(() => check(screens)).toThrow(withText(message));
  });

  it('a screen before the last of three pages of an earlier step is refused', () => {
    const [a, b] = [part('address', 'a'), part('address', 'b')];
    const screens = [screen('other', OTHER), screen('c', C), screen('a', a), screen('file', FILE), screen('b', b)];
    expect(() => check(screens, { person: two, address: one })).toThrow(withText('earlier step'));
  });

  it('two parts are refused if one has a field within a field of the other', () => {
    const grouped = defineStep<{ readonly b: { readonly d: string } }>({
      fields: { b: { kind: 'group', fields: { d: { kind: 'text', max: 10 } } } },
      pages: { d: ['b.d'] },
    });
    const screens = [screen('a', A), screen('b', B, part('person', 'd'))];
    expect(() => check(screens, { consent: one, person: grouped })).toThrow(withText('field b'));
  });

  it('screenOfPage: the screen with the page, and null for a page that has none', () => {
    const flow = flowOf([screen('a', A), screen('both', B, C)]);
    expect(screenOfPage(flow, C)).toBe('both');
    expect(screenOfPage(flow, OTHER)).toBeNull();
  });

  it('the built-in flows pass', () => {
    expect(checkFlows(BUILT_IN_FLOWS)).toBe(BUILT_IN_FLOWS);
  });
});

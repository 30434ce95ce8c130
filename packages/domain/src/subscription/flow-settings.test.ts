import { describe, expect, it, test } from 'vitest';
import { FLOW_SWITCHES } from '../fields/flow-switches.ts';
import { schemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import {
  DECISION_TIMES,
  DUE_HOURS_MAX,
  flowSettingsFields,
  flowSettingsIssues,
  flowSettingsOfInput,
  LINK_DAYS_MAX,
  MINIMUM_AGE_MAX,
  NEW_FLOW_SETTINGS,
} from './flow-settings.ts';

const OFF = {
  placeOfBirth: false,
  proofOfAddress: false,
  readingIsAdvice: false,
  familyNameIndex: false,
  warningsInDetails: false,
};

/** The issues of an input on an installation with the minimum age 18, each as path and code. */
function issuesOf(input: unknown): string[] {
  try {
    parseInput(schemaOf(flowSettingsFields as never), input, (given) =>
      flowSettingsIssues(given, { minimumAge: 18 }),
    );
    return [];
  } catch (error) {
    const { data } = error as { data: { issues: { path: string; code: string }[] } };
    return data.issues.map(({ path, code }) => `${path} ${code}`);
  }
}

test('a new client asks for neither and has no settings of its own', () => {
  expect(NEW_FLOW_SETTINGS).toEqual({
    ...OFF,
    minimumAge: null,
    linkDays: null,
    decisionWithin: null,
    dueHours: null,
  });
  expect(Object.keys(NEW_FLOW_SETTINGS)).toEqual(Object.keys(flowSettingsFields));
  expect(Object.keys(flowSettingsFields)).toEqual(expect.arrayContaining([...FLOW_SWITCHES]));
});

describe('accepted settings', () => {
  it.each<[object]>([
    [{}],
    [{ placeOfBirth: true }],
    [{ proofOfAddress: true }],
    [{ minimumAge: 18 }],
    [{ minimumAge: MINIMUM_AGE_MAX }],
    [{ linkDays: 1 }],
    [{ linkDays: LINK_DAYS_MAX }],
    [{ dueHours: 1 }],
    [{ dueHours: DUE_HOURS_MAX }],
    ...DECISION_TIMES.map((decisionWithin): [object] => [{ decisionWithin }]),
  ])('%j', (given) => {
    expect(issuesOf({ ...OFF, ...given })).toEqual([]);
  });
});

describe('refused settings', () => {
  it.each<[unknown, string[]]>([
    [null, [' required']],
    [
      {},
      [
        'placeOfBirth required',
        'proofOfAddress required',
        'readingIsAdvice required',
        'familyNameIndex required',
        'warningsInDetails required',
      ],
    ],
    [{ ...OFF, placeOfBirth: 'yes' }, ['placeOfBirth invalid']],
    [{ ...OFF, proofOfAddress: 1 }, ['proofOfAddress invalid']],
    [{ ...OFF, minimumAge: 17 }, ['minimumAge too_small']],
    [{ ...OFF, minimumAge: 0 }, ['minimumAge too_small']],
    [{ ...OFF, minimumAge: -1 }, ['minimumAge too_small']],
    [{ ...OFF, minimumAge: MINIMUM_AGE_MAX + 1 }, ['minimumAge too_large']],
    [{ ...OFF, minimumAge: 18.5 }, ['minimumAge invalid']],
    [{ ...OFF, minimumAge: '21' }, ['minimumAge invalid']],
    [{ ...OFF, minimumAge: Number.NaN }, ['minimumAge invalid']],
    [{ ...OFF, minimumAge: null }, ['minimumAge required']],
    [{ ...OFF, linkDays: 0 }, ['linkDays too_small']],
    [{ ...OFF, linkDays: -30 }, ['linkDays too_small']],
    [{ ...OFF, linkDays: LINK_DAYS_MAX + 1 }, ['linkDays too_large']],
    [{ ...OFF, linkDays: 1_000_000 }, ['linkDays too_large']],
    [{ ...OFF, linkDays: '7' }, ['linkDays invalid']],
    [{ ...OFF, dueHours: 0 }, ['dueHours too_small']],
    [{ ...OFF, dueHours: DUE_HOURS_MAX + 1 }, ['dueHours too_large']],
    [{ ...OFF, dueHours: 1.5 }, ['dueHours invalid']],
    [{ ...OFF, decisionWithin: 'weeks' }, ['decisionWithin invalid']],
    [{ ...OFF, decisionWithin: '' }, ['decisionWithin required']],
    [{ ...OFF, colour: 'red' }, ['colour unknown_field']],
  ])('%j', (given, expected) => {
    expect(issuesOf(given)).toEqual(expected);
  });
});

test('flowSettingsIssues: names the minimum age of the installation', () => {
  expect(flowSettingsIssues({ minimumAge: 18 }, { minimumAge: 21 })).toEqual([
    { path: 'minimumAge', message: 'must be at least 21', code: 'too_small', limit: 21 },
  ]);
  for (const input of [undefined, null, 'x', {}, { minimumAge: '1' }, { minimumAge: 21 }]) {
    expect(flowSettingsIssues(input, { minimumAge: 21 })).toEqual([]);
  }
});

test('flowSettingsOfInput: what is left out is not set', () => {
  expect(flowSettingsOfInput(OFF)).toEqual(NEW_FLOW_SETTINGS);
  const whole = {
    placeOfBirth: true,
    proofOfAddress: false,
    minimumAge: 21,
    linkDays: 7,
    decisionWithin: 'hours',
    readingIsAdvice: true,
    familyNameIndex: true,
    warningsInDetails: true,
    dueHours: 24,
  } as const;
  expect(flowSettingsOfInput(whole)).toEqual(whole);
});

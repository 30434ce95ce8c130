import { beforeEach, expect, test } from 'vitest';
import { file, NOW } from '../../test-support/verifications.ts';
import { ALL_ASKED } from './conditions.ts';
import { mergeAnswers, pagesFor } from './pages.ts';
import { defineStep, type Step } from './step.ts';

interface Pet {
  readonly nickname?: string | undefined;
  readonly kind: 'cat' | 'dog';
  readonly licence?: string | undefined;
  readonly friends: readonly { readonly name: string }[];
  readonly home: { readonly city: string; readonly birthCity?: string | undefined };
  readonly pictureId: string;
  readonly seenAt: string;
}

const text = { kind: 'text', max: 10 } as const;
let pet: Step;

beforeEach(() => {
  pet = defineStep<Pet>({
    fields: {
      nickname: { ...text, optional: true },
      kind: { kind: 'choice', of: ['cat', 'dog'] },
      licence: { ...text, when: { kind: ['dog'] } },
      friends: { kind: 'rows', max: 2, fields: { name: text } },
      home: {
        kind: 'group',
        fields: { city: text, birthCity: { ...text, optional: true, asked: 'placeOfBirth' } },
      },
      pictureId: { kind: 'file', evidence: 'selfie' },
      seenAt: { kind: 'timestamp', by: 'server' },
    },
    pages: {
      nickname: ['nickname'],
      kind: ['kind', 'licence'],
      friends: ['friends', 'home.city', 'home.birthCity'],
      picture: ['pictureId'],
    },
    stamp: (now) => ({ seenAt: now.toISOString() }),
  });
});

const CAT = { nickname: 'Tom', kind: 'cat', friends: [{ name: 'Ann' }], home: { city: 'Rome' }, pictureId: 'p' };
const SEEN_AT = NOW.toISOString();
const CONTEXT = { asks: ALL_ASKED, now: NOW, minimumAge: 18, files: [file('selfie', 'selfie', 'p')] };

test('a page is asked when one of its fields is', () => {
  expect(pagesFor(pet, { kind: 'cat' }).map(({ slug }) => slug)).toEqual([
    'nickname',
    'kind',
    'friends',
    'picture',
  ]);
});

test('a page lacks the fields that the settings of the client do not ask for, within groups too', () => {
  const pages = pagesFor(pet, {}, { ...ALL_ASKED, placeOfBirth: false });
  expect(pages.find(({ slug }) => slug === 'friends')?.fields.map(({ path }) => path)).toEqual([
    'friends',
    'home.city',
  ]);
});

test('a page is optional when all of its fields are, and an upload when it takes a file', () => {
  expect(
    pet.pages.map(({ slug, fields, optional, upload }) => [slug, fields.map(({ key }) => key), optional, upload]),
  ).toEqual([
    ['nickname', ['nickname'], true, null],
    ['kind', ['kind', 'licence'], false, null],
    ['friends', ['friends', 'city', 'birthCity'], false, null],
    ['picture', ['pictureId'], false, { path: 'pictureId', evidence: 'selfie', optional: false }],
  ]);
  const page = { ...text, optional: true } as const;
  const { pages } = defineStep<Pick<Pet, 'nickname' | 'kind'>>({
    fields: { nickname: page, kind: { kind: 'choice', of: ['cat', 'dog'] } },
    pages: { both: ['nickname', 'kind'] },
  });
  expect(pages.map(({ optional }) => optional)).toEqual([false]);
});

test('the files that answers name are found', () => {
  expect(pet.filesOf(CAT)).toEqual([{ path: 'pictureId', fileId: 'p', kind: 'selfie' }]);
  expect(pet.filesOf({ kind: 'cat' })).toEqual([]);
});

test('an optional first page keeps its answer while the step is completed', () => {
  const merged = mergeAnswers(pet, { answers: CAT, draft: { kind: 'dog' }, isCompleted: true });
  expect(merged).toEqual({ ...CAT, kind: 'dog' });
});

test('answers that no field describes are kept', () => {
  const answers = { ...CAT, strange: 1 };
  expect(mergeAnswers(pet, { answers: { ...answers, seenAt: SEEN_AT }, isCompleted: true })).toEqual(answers);
});

test('answers are the same whatever the order of their keys, and whatever no field describes', () => {
  const { kind, ...others } = CAT;
  expect(pet.isSame({ ...others, kind, strange: 1, seenAt: 'then' }, { ...CAT, seenAt: 'now' })).toBe(true);
  expect(pet.isSame({ ...CAT, nickname: 'Tim' }, CAT)).toBe(false);
});

const issuesOf = (input: unknown) => {
  try {
    return pet.accept(input, CONTEXT);
  } catch (error) {
    return (error as { data: { issues: { path: string; code: string }[] } }).data.issues.map(
      ({ path, code }) => `${path} ${code}`,
    );
  }
};

test.each([
  [CAT, { ...CAT, seenAt: SEEN_AT }],
  [
    { ...CAT, licence: 'L' },
    { ...CAT, seenAt: SEEN_AT },
  ],
  [{ ...CAT, kind: 'dog' }, ['licence required']],
  [{ ...CAT, pictureId: 'other' }, ['pictureId file_missing']],
  [
    { ...CAT, kind: 'dog', friends: [{ name: 1 }, {}] },
    ['friends.0.name invalid', 'friends.1.name required', 'licence required'],
  ],
  [{ ...CAT, pictureId: 7, nickname: 7 }, ['nickname invalid', 'pictureId invalid']],
  [{ ...CAT, kind: 'dog', licence: 7, nickname: 7 }, ['nickname invalid', 'licence invalid']],
  ['cat', [' invalid']],
])('accept: %j', (input, expected) => {
  expect(issuesOf(input)).toEqual(expected);
});

test('accept: answers that were stamped before keep that stamp, and nothing else', () => {
  const stamped = { ...CAT, nickname: 'Tim', seenAt: 'then' };
  expect(pet.accept(CAT, { ...CONTEXT, stamped })).toEqual({ ...CAT, seenAt: 'then' });
});

test('the stored schema of a step refuses only values of another kind', () => {
  expect(pet.storedSchema.safeParse({ nickname: 'far too long for it' }).success).toBe(true);
  expect(pet.storedSchema.safeParse({ nickname: 7 }).success).toBe(false);
});

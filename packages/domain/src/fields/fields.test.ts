import { describe, expect, it } from 'vitest';
import { currentFlow, SUBJECT_TYPES, stepOf, stepsOf } from '../verification/flow.ts';
import { ALL_ASKED, requiredByConditions, withoutUnasked } from './conditions.ts';
import type { FieldList, Fields } from './field.ts';
import { isDrafted, mergeAnswers, pageOfPath, pagesFor } from './pages.ts';
import { placesOf, rowsOf, textKeysOf } from './placed-fields.ts';
import { sampleFilesOf, sampleOf } from './sample.ts';
import { schemaOf, storedSchemaOf } from './schema.ts';
import { defineStep, type Step } from './step.ts';

interface Pet {
  readonly kind: 'cat' | 'dog';
  readonly name: string;
  readonly nickname?: string | undefined;
  readonly licence?: string | undefined;
  readonly home: { readonly city: string; readonly leash?: string | undefined };
  readonly friends: readonly { readonly name: string; readonly age?: number | undefined }[];
  readonly pictureId: string;
  readonly proofId?: string | undefined;
  readonly seenAt: string;
}

const fields: Fields<Pet> = {
  kind: { kind: 'choice', of: ['cat', 'dog'] },
  name: { kind: 'text', max: 10 },
  nickname: { kind: 'text', max: 10, optional: true },
  licence: { kind: 'text', max: 10, when: { kind: ['dog'] } },
  home: {
    kind: 'group',
    fields: { city: { kind: 'text', max: 10 }, leash: { kind: 'text', max: 10, optional: true } },
  },
  friends: {
    kind: 'rows',
    max: 2,
    fields: { name: { kind: 'text', max: 10 }, age: { kind: 'number', min: 0, optional: true } },
  },
  pictureId: { kind: 'file', evidence: 'selfie' },
  proofId: { kind: 'file', evidence: 'articles', optional: true },
  seenAt: { kind: 'timestamp', by: 'server' },
};
const list = fields as unknown as FieldList;

const pet: Step = defineStep<Pet>({
  fields,
  pages: {
    kind: ['kind', 'name'],
    nickname: ['nickname'],
    licence: ['licence'],
    home: ['home.city', 'home.leash'],
    friends: ['friends'],
    picture: ['pictureId'],
    proof: ['proofId'],
  },
  stamp: (now) => ({ seenAt: now.toISOString() }),
});

const CAT = { kind: 'cat', name: 'Tom', home: { city: 'Rome' }, friends: [{ name: 'Ann' }], pictureId: 'p' };

describe('Fields: the compiler checks the data against the type', () => {
  it('refuses a missing, an extra, a wrongly optional and a wrongly typed field', () => {
    interface Two {
      readonly a: string;
      readonly b?: number | undefined;
    }
    const a = { kind: 'text', max: 1 } as const;
    // @ts-expect-error b is missing
    const missing: Fields<Two> = { a };
    // @ts-expect-error c is not a field of the type
    const extra: Fields<Two> = { a, b: { kind: 'number', optional: true }, c: a };
    // @ts-expect-error a is required
    const optional: Fields<Two> = { a: { ...a, optional: true }, b: { kind: 'number', optional: true } };
    // @ts-expect-error b is a number
    const typed: Fields<Two> = { a, b: { kind: 'text', max: 1, optional: true } };
    expect([missing, extra, optional, typed]).toHaveLength(4);
  });
});

describe('conditions', () => {
  it('withoutUnasked drops a field whose condition fails, at any depth, and keeps unknown keys', () => {
    expect(withoutUnasked(list, { ...CAT, licence: 'L', other: 1 })).toEqual({ ...CAT, other: 1 });
    expect(withoutUnasked(list, { kind: 'dog', licence: 'L' })).toEqual({ kind: 'dog', licence: 'L' });
    const nested: FieldList = {
      group: { kind: 'group', fields: list },
      rows: { kind: 'rows', max: 1, fields: list },
    };
    const stale = { ...CAT, licence: 'L' };
    expect(withoutUnasked(nested, { group: stale, rows: [stale] })).toEqual({ group: CAT, rows: [CAT] });
  });

  it('requiredByConditions names a field that is asked and has no answer', () => {
    expect(requiredByConditions(list, { kind: 'dog' })).toMatchObject([{ path: 'licence', code: 'required' }]);
    expect(requiredByConditions(list, { kind: 'dog', licence: 'L' })).toEqual([]);
    expect(requiredByConditions(list, {})).toEqual([]);
    const nested: FieldList = { rows: { kind: 'rows', max: 1, fields: list } };
    expect(requiredByConditions(nested, { rows: [{ kind: 'dog' }] })).toMatchObject([{ path: 'rows.0.licence' }]);
  });

  it('accept drops an unasked value, also one that it would refuse', () => {
    const files = [
      {
        id: 'p',
        step: 's',
        kind: 'selfie' as const,
        contentType: 'image/png' as const,
        size: 1,
        sha256: '',
        warnings: [],
        uploadedAt: '',
      },
    ];
    const now = new Date('2026-01-01T00:00:00.000Z');
    const accepted = pet.accept(
      { ...CAT, licence: 'far too long for it' },
      { now, minimumAge: 18, asks: ALL_ASKED, files },
    );
    expect(accepted).toEqual({ ...CAT, seenAt: '2026-01-01T00:00:00.000Z' });
  });
});

describe('schemas', () => {
  it('schemaOf refuses a value out of bounds and a server field', () => {
    expect(schemaOf(list).safeParse(CAT).success).toBe(true);
    expect(schemaOf(list).safeParse({ ...CAT, name: 'x'.repeat(11) }).success).toBe(false);
    expect(schemaOf(list).safeParse({ ...CAT, seenAt: '2026-01-01T00:00:00.000Z' }).success).toBe(false);
  });

  it('storedSchemaOf accepts values out of bounds, missing fields and unknown keys, and refuses another kind', () => {
    const stored = storedSchemaOf(list);
    const old = { kind: 'parrot', name: 'x'.repeat(11), gone: [1], friends: [{ name: '', x: 1 }], home: {} };
    expect(stored.parse(old)).toEqual(old);
    for (const damaged of [{ name: 1 }, { friends: {} }, { friends: ['x'] }, { home: 'x' }, []]) {
      expect(stored.safeParse(damaged).success).toBe(false);
    }
  });
});

describe('places, rows and texts', () => {
  it.each([
    [['a', 'a'], 'must list each value once'],
    [['a', 'b', 'a'], 'must list each value once'],
    [['c'], 'Invalid option'],
  ])('schemaOf refuses the list of choices %j', (letters, message) => {
    const schema = schemaOf({ letters: { kind: 'list', each: { kind: 'choice', of: ['a', 'b'] }, max: 2 } });
    expect(schema.safeParse({ letters: ['b', 'a'] }).success).toBe(true);
    const { error } = schema.safeParse({ letters });
    expect(error?.issues[0]?.message).toContain(message);
  });

  it('placesOf lists the files of a step', () => {
    expect(placesOf(list)).toEqual([
      { path: 'pictureId', evidence: 'selfie', optional: false },
      { path: 'proofId', evidence: 'articles', optional: true },
    ]);
  });

  it('rowsOf follows the order of the fields, and shows unknown answers last', () => {
    const { pictureId, ...others } = CAT;
    const rows = rowsOf(list, { strange: { deep: 1 }, pictureId, ...others, nickname: 'T' });
    expect(rows.map(({ path, field, value }) => [path, field?.kind ?? null, value])).toEqual([
      ['kind', 'choice', 'cat'],
      ['name', 'text', 'Tom'],
      ['nickname', 'text', 'T'],
      ['home.city', 'text', 'Rome'],
      ['friends.0.name', 'text', 'Ann'],
      ['pictureId', 'file', 'p'],
      ['strange.deep', null, 1],
    ]);
  });

  it('rowsOf shows a value of another kind as it is', () => {
    expect(rowsOf(list, { home: 'x', friends: [1] }).map(({ path, value }) => [path, value])).toEqual([
      ['home', 'x'],
      ['friends', [1]],
    ]);
  });

  it('textKeysOf gives specific keys before general ones', () => {
    expect(textKeysOf('ownership', 'directors.0.firstName')).toEqual([
      'ownership.directors.firstName',
      'directors.firstName',
      'firstName',
    ]);
  });
});

describe('pages', () => {
  const slugs = (answers: object) => pagesFor(pet, answers as Record<string, string>).map(({ slug }) => slug);

  it('pagesFor leaves out a page whose fields are not asked', () => {
    expect(slugs({ kind: 'cat' })).toEqual(['kind', 'nickname', 'home', 'friends', 'picture', 'proof']);
    expect(slugs({ kind: 'dog' })).toContain('licence');
  });

  it('a page is optional when all its fields are, and an upload when it takes one file', () => {
    expect(pet.pages.filter(({ optional }) => optional).map(({ slug }) => slug)).toEqual(['nickname', 'proof']);
    expect(pet.pages.flatMap(({ upload }) => upload?.path ?? [])).toEqual(['pictureId', 'proofId']);
  });

  it('pageOfPath finds the page of a path, of a part and of a whole group', () => {
    expect(pageOfPath(pet, 'friends.0.name')?.slug).toBe('friends');
    expect(pageOfPath(pet, 'home')?.slug).toBe('home');
    expect(pageOfPath(pet, 'strange')).toBe(null);
  });

  it('isDrafted looks for any value of the page', () => {
    const [page] = pet.pages;
    if (page === undefined) throw new Error('no page');
    expect([isDrafted(page, undefined), isDrafted(page, { home: {} }), isDrafted(page, { name: 'x' })]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('mergeAnswers', () => {
  const answers = { ...CAT, nickname: 'Tommy', seenAt: 'then' };

  it('returns the current answers without server fields', () => {
    expect(mergeAnswers(pet, { answers, isCompleted: true })).toEqual({ ...CAT, nickname: 'Tommy' });
  });

  it('overlays drafted pages', () => {
    const draft = { kind: 'dog', name: 'Rex', home: { city: 'Oslo' } };
    const merged = mergeAnswers(pet, { answers, draft, isCompleted: true }, ['home']);
    expect(merged).toMatchObject({ kind: 'dog', name: 'Rex', nickname: 'Tommy', home: { city: 'Oslo' } });
  });

  it('a page just answered with nothing is cleared', () => {
    const merged = mergeAnswers(pet, { answers, isCompleted: true }, ['nickname']);
    expect(merged).not.toHaveProperty('nickname');
  });

  it('while the step is redone, an optional page before the last drafted one counts as left empty', () => {
    const draft = { kind: 'cat', name: 'Tom', home: { city: 'Oslo' } };
    expect(mergeAnswers(pet, { answers, draft, isCompleted: false })).not.toHaveProperty('nickname');
    expect(mergeAnswers(pet, { answers, draft, isCompleted: true })).toHaveProperty('nickname');
  });
});

describe('samples', () => {
  const context = { now: new Date('2026-01-01T00:00:00.000Z'), minimumAge: 18, asks: ALL_ASKED };

  it('sampleOf answers what is required, and nothing else', () => {
    expect(sampleOf(pet, { ...context, fileIdOf: (kind) => `id of ${kind}` })).toEqual({
      kind: 'cat',
      name: 'Sandbox sa',
      home: { city: 'Sandbox sa' },
      friends: [],
      pictureId: 'id of selfie',
    });
    expect(sampleFilesOf(pet, context)).toEqual(['selfie']);
  });

  it.each(SUBJECT_TYPES.flatMap((type) => stepsOf(currentFlow(type)).map((key) => [type, key] as const)))(
    'the sample answers of %s %s are accepted',
    (type, key) => {
      const step = stepOf(currentFlow(type), key);
      if (step === null) throw new Error('no such step');
      const input = sampleOf(step, { ...context, fileIdOf: (kind) => kind });
      const files = sampleFilesOf(step, context).map((kind) => ({
        id: kind,
        step: key,
        kind,
        contentType: 'image/png' as const,
        size: 1,
        sha256: '',
        warnings: [],
        uploadedAt: '',
      }));
      expect(step.accept(input, { ...context, files })).toMatchObject(input);
    },
  );
});

describe('defineStep refuses at load', () => {
  interface Two {
    readonly a: string;
    readonly b?: string | undefined;
  }
  const a = { kind: 'text', max: 1 } as const;
  const b = { ...a, optional: true } as const;

  it.each<[string, () => Step, message: string]>([
    [
      'a field on no page',
      () => defineStep<Two>({ fields: { a, b }, pages: { one: ['a'] } }),
      'The field b must stand on exactly one page',
    ],
    [
      'a field on two pages',
      () => defineStep<Two>({ fields: { a, b }, pages: { one: ['a', 'b'], two: ['b'] } }),
      'The field b must stand on exactly one page',
    ],
    [
      'a group on two pages',
      () =>
        defineStep<{ readonly g: Two }>({
          fields: { g: { kind: 'group', fields: { a, b } } },
          pages: { one: ['g'], two: ['g'] },
        }),
      'The field g must stand on exactly one page',
    ],
    [
      'a page without fields',
      () => defineStep<Two>({ fields: { a, b }, pages: { one: ['a', 'b'], two: [] } }),
      'The page two has no fields',
    ],
    [
      'a page with a field that is none',
      () => defineStep<Two>({ fields: { a, b }, pages: { one: ['a', 'b', 'c' as 'b'] } }),
      'The page one names c, which is not a field',
    ],
    [
      'a group of which a part is on no page',
      () =>
        defineStep<{ readonly g: Two }>({
          fields: { g: { kind: 'group', fields: { a, b } } },
          pages: { one: ['g.a'] },
        }),
      'The field g.b must stand on exactly one page',
    ],
    [
      'two files of one kind',
      () =>
        defineStep<Two>({
          fields: {
            a: { kind: 'file', evidence: 'selfie' },
            b: { kind: 'file', evidence: 'selfie', optional: true },
          },
          pages: { one: ['a'], two: ['b'] },
        }),
      'Two fields of one step take a file of kind selfie',
    ],
    [
      'a file that shares its page',
      () =>
        defineStep<Two>({ fields: { a: { kind: 'file', evidence: 'selfie' }, b }, pages: { one: ['a', 'b'] } }),
      'The file on the page one needs a page alone',
    ],
    [
      'a file within rows',
      () =>
        defineStep<{ readonly r: readonly { readonly a: string }[] }>({
          fields: { r: { kind: 'rows', max: 1, fields: { a: { kind: 'file', evidence: 'selfie' } } } },
          pages: { one: ['r'] },
        }),
      'The rows r cannot take files',
    ],
    [
      'a condition on a later field',
      () =>
        defineStep<{ readonly b?: string | undefined; readonly a: string }>({
          fields: { b: { kind: 'text', max: 1, when: { a: ['x'] } }, a },
          pages: { one: ['a', 'b'] },
        }),
      'The condition of b names a, which comes no earlier',
    ],
    [
      'a condition on a later field of its group',
      () =>
        defineStep<{ readonly g: { readonly b?: string | undefined; readonly a: string } }>({
          fields: { g: { kind: 'group', fields: { b: { kind: 'text', max: 1, when: { a: ['x'] } }, a } } },
          pages: { one: ['g'] },
        }),
      'The condition of b names a, which comes no earlier',
    ],
  ])('%s', (_, define, message) => {
    expect(define).toThrow(message);
  });

  it('and takes a group whole or in parts, and conditions on earlier fields', () => {
    const g = { kind: 'group', fields: { a, b } } as const;
    const stepWith = (paths: ('g' | 'g.a' | 'g.b')[]) =>
      defineStep<{ readonly g: Two }>({ fields: { g }, pages: { one: paths } });
    expect(stepWith(['g']).pages).toHaveLength(1);
    expect(stepWith(['g.a', 'g.b']).pages).toHaveLength(1);
  });
});

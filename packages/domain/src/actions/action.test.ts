import { expect, test } from 'vitest';
import { AUDIT_ACTOR_KINDS } from '../audit/audit-entry.ts';
import type { Fields } from '../fields/field.ts';
import type { Upload } from '../input/upload.ts';
import { type ActionAudit, defineAction } from './action.ts';
import { ACTIONS } from './catalogue.ts';
import { isOneOf } from './rights.ts';

interface Input {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly birthday: string;
  readonly plan: 'standard' | 'enterprise';
}

const fields: Fields<Input> = {
  userId: { kind: 'id', by: 'page' },
  name: { kind: 'text', max: 100 },
  email: { kind: 'email' },
  birthday: { kind: 'date', purpose: 'birth-date' },
  plan: { kind: 'choice', of: ['standard', 'enterprise'] },
};

const define = (audit: ActionAudit<Input, void>) =>
  defineAction<Input, void>({ id: 'a.b', who: [], fields, audit, outcomes: [], run: async () => undefined });

test.each(['name', 'email', 'birthday'] as const)('defineAction: the audit log must not keep %s', (name) => {
  expect(() => define({ keep: [name] })).toThrow(`a.b: the audit log must not keep the field ${name}`);
});

test('defineAction: the audit log cannot keep a field that the action lacks', () => {
  expect(() => define({ keep: ['gone' as 'name'] })).toThrow('a.b: the audit log must not keep the field gone');
});

test('defineAction: a password is confirmed only where the action asks for it', () => {
  expect(define({}).reauthenticate).toBe(false);
});

test('defineAction: test mode has an action unless it says otherwise', () => {
  expect(define({}).liveOnly).toBe(false);
});

test('defineAction: an id is looked up as it was sent; it may be left out only if it is optional', () => {
  const { schema } = defineAction<{ readonly id: string; readonly other?: string | undefined }, void>({
    id: 'a.b',
    who: [],
    fields: { id: { kind: 'id' }, other: { kind: 'id', optional: true } },
    outcomes: [],
    run: async () => undefined,
  });
  const accepts = (input: object) => schema.safeParse(input).success;
  expect(accepts({ id: '' })).toBe(true);
  expect(accepts({ id: 'x'.repeat(1000), other: '' })).toBe(true);
  expect(accepts({ other: 'x' })).toBe(false);
  expect(accepts({ id: 7 })).toBe(false);
  expect(accepts({ id: 'x', other: null })).toBe(false);
});

test('defineAction: an upload is an object', () => {
  const { schema } = defineAction<{ readonly upload: Upload }, void>({
    id: 'a.b',
    who: [],
    fields: {},
    takesUpload: true,
    outcomes: [],
    run: async () => undefined,
  });
  const accepts = (upload: unknown) => schema.safeParse({ upload }).success;
  expect(accepts({ contentType: 'image/png' })).toBe(true);
  expect([null, undefined, 'upload', () => undefined].map(accepts)).toEqual([false, false, false, false]);
});

test('defineAction: ids and choices may be kept', () => {
  expect(define({ keep: ['userId', 'plan'] }).keep).toEqual(['userId', 'plan']);
});

test.each(['target', 'client'] as const)('defineAction: %s must be an id', (part) => {
  expect(() => define({ [part]: 'name' })).toThrow('a.b: the field name must be of kind id');
});

test('defineAction: a target that is no field is refused', () => {
  expect(() => define({ target: 'gone' as 'userId' })).toThrow('a.b: the field gone must be of kind id');
});

test('defineAction: the line is always written, or for refusals only, or as the caller decides', () => {
  const caller = { actor: { kind: 'operator', id: null }, from: null, team: null, session: null } as const;
  const levelOf = (audit: ActionAudit<Input, void>) => define(audit).logLevel(caller);
  expect([levelOf({}), levelOf({ log: 'refusals' }), levelOf({ log: () => 'refusals' })]).toEqual([
    'always',
    'refusals',
    'refusals',
  ]);
});

test('defineAction: the client is a field, a lookup or neither', () => {
  const lookUp = async () => 'client-1';
  expect(define({ client: 'userId' })).toMatchObject({ client: 'userId', clientOf: null });
  expect(define({ client: lookUp })).toMatchObject({ client: null, clientOf: lookUp });
  expect(define({})).toMatchObject({ client: null, clientOf: null });
});

test('an action without `who` is closed to every caller', () => {
  for (const kind of AUDIT_ACTOR_KINDS) {
    expect(isOneOf([], { actor: { kind, id: null }, from: null, team: null, session: null })).toBe(false);
  }
});

test.each(ACTIONS)('$id: declares each outcome once, and none that every action has', ({ outcomes }) => {
  expect(new Set(outcomes).size).toBe(outcomes.length);
  expect(outcomes).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:NOT_ALLOWED|CONFIRMATION_NEEDED|INVALID_PARAMETERS)$/)]),
  );
});

test.each(ACTIONS.filter(({ id, target }) => target !== null && !id.includes('.list')))(
  '$id: declares that its target may not be found',
  ({ outcomes }) => {
    expect(outcomes).toContainEqual(expect.stringMatching(/_NOT_FOUND$/));
  },
);

test('every action has a unique id and at least one group of callers', () => {
  const ids = ACTIONS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ACTIONS.filter(({ who }) => who.length === 0)).toEqual([]);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { file, NOW } from '../../test-support/verifications.ts';
import { ALL_ASKED } from './conditions.ts';
import { defineStep, type Step } from './step.ts';

interface Trip {
  readonly name?: string | undefined;
  readonly stops: readonly { readonly city?: string | undefined }[];
  readonly ticketId: string;
}

const optional = { kind: 'text', max: 10, absence: {} } as const;
const required = { absence: undefined };
let trip: Step;
let earlier: Step;

beforeEach(() => {
  trip = defineStep<Trip>({
    fields: {
      name: optional,
      stops: { kind: 'rows', fields: { city: optional }, max: 2 },
      ticketId: { kind: 'file', evidence: 'selfie' },
    },
    pages: { trip: ['name', 'stops'], ticket: ['ticketId'] },
    rules: ({ name }) => (name === 'x' ? [{ path: 'name', message: 'is x', code: 'invalid' }] : []),
  });
  earlier = trip.earlier({
    fields: { name: required, 'stops.city': required },
    pages: { ticket: ['ticketId'], name: ['name'], stops: ['stops'] },
  });
});

const CONTEXT = { asks: ALL_ASKED, now: NOW, minimumAge: 18, files: [file('selfie', 'selfie', 't')] };

const wrong = (step: Step, input: object): unknown => {
  try {
    step.accept({ ticketId: 't', ...input }, CONTEXT);
    return [];
  } catch (error) {
    return (error as { data: { issues: { path: string }[] } }).data.issues.map(({ path }) => path);
  }
};

describe('an earlier version of a step', () => {
  it('requires what it required, within rows too, and has the same rules', () => {
    expect(wrong(trip, { stops: [{}] })).toEqual([]);
    expect(wrong(earlier, { stops: [{}] })).toEqual(['name', 'stops.0.city']);
    expect(wrong(earlier, { name: 'x', stops: [] })).toEqual(['name']);
  });

  it('the earlier step has its own pages, or the same ones', () => {
    expect(earlier.pages.map(({ slug }) => slug)).toEqual(['ticket', 'name', 'stops']);
    expect(trip.earlier({}).pages).toEqual(trip.pages);
  });

  it.each(['nickname', 'name.first', 'stops.town'])('a path that is no field is refused: %s', (path) => {
    expect(() => trip.earlier({ fields: { [path]: required } })).toThrow('There is no field');
  });
});

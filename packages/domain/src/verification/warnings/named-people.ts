import { below } from '../../fields/paths.ts';
import type { JsonObject } from '../../json.ts';
import { acceptedAs } from '../answers.ts';
import type { StepKey } from '../flow.ts';
import type { CompanyPerson } from '../steps/ownership.ts';
import type { Verification } from '../verification.ts';

/** Somebody whom the answers to a step name. */
export interface NamedPerson {
  readonly step: StepKey;
  /** Where in the answers; empty where they are all about this person. */
  readonly path: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth?: string;
  readonly nationalities: readonly string[];
}

/** Everybody whom the answers that stand name. */
export function peopleOf({ steps }: Verification): NamedPerson[] {
  return Object.entries(steps).flatMap(([step, { answers }]) => peopleIn(step as StepKey, answers));
}

/** Everybody whom these answers to a step name. */
export function peopleIn(step: StepKey, answers: JsonObject): NamedPerson[] {
  switch (step) {
    case 'person': {
      const { firstName, lastName, dateOfBirth, nationalities } = acceptedAs(step, answers);
      return [{ step, path: '', firstName, lastName, dateOfBirth, nationalities }];
    }
    case 'consent': {
      const consent = acceptedAs(step, answers);
      if (!('representative' in consent)) return [];
      const { firstName, lastName } = consent.representative;
      return [{ step, path: 'representative', firstName, lastName, nationalities: [] }];
    }
    case 'ownership': {
      const { directors, beneficialOwners = [], seniorManagers = [] } = acceptedAs(step, answers);
      return [
        ...listed('directors', directors),
        ...listed('beneficialOwners', beneficialOwners),
        ...listed('seniorManagers', seniorManagers),
      ];
    }
    default:
      return [];
  }
}

function listed(path: string, people: readonly CompanyPerson[]): NamedPerson[] {
  return people.map(({ firstName, lastName, dateOfBirth, nationality }, index) => ({
    step: 'ownership',
    path: below(path, index),
    firstName,
    lastName,
    dateOfBirth,
    nationalities: [nationality],
  }));
}

/** Whether two people are called the same. */
export function isNamesake(a: NamedPerson, b: NamedPerson): boolean {
  return comparable(a.firstName) === comparable(b.firstName) && comparable(a.lastName) === comparable(b.lastName);
}

/** Without marks, case, and differences of spaces and dashes: `Müller-Lüdenscheidt` and `MULLER LUDENSCHEIDT` are the same. */
export function comparable(name: string): string {
  const bare = name.normalize('NFKD').replace(/\p{M}/gu, '');
  // To upper case first: it makes SS of ß, as passports do.
  return bare
    .toUpperCase()
    .toLowerCase()
    .replace(/[\s\p{Pd}]+/gu, ' ')
    .trim();
}

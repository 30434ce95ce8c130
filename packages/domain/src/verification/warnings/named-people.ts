import { below } from '../../fields/paths.ts';
import type { JsonObject } from '../../json.ts';
import { acceptedAs } from '../answers.ts';
import type { StepKey } from '../flow.ts';
import type { CompanyPerson } from '../steps/ownership.ts';
import type { Verification } from '../verification.ts';

/** A person whom the answers to a step name. */
export interface NamedPerson {
  readonly step: StepKey;
  /** The path in the answers; empty if all of them are about this person. */
  readonly path: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth?: string;
  readonly nationalities: readonly string[];
}

/** Lists the people in the current answers. */
export function peopleOf({ steps }: Verification): NamedPerson[] {
  return Object.entries(steps).flatMap(([step, { answers }]) => peopleIn(step as StepKey, answers));
}

/** Lists the people in the answers to a step. */
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

/** Whether two people have the same name. */
export function isNamesake(a: NamedPerson, b: NamedPerson): boolean {
  return comparable(a.firstName) === comparable(b.firstName) && comparable(a.lastName) === comparable(b.lastName);
}

/** Removes marks, case and differences of spaces and dashes: `Müller-Lüdenscheidt` and `MULLER LUDENSCHEIDT` become equal. */
export function comparable(name: string): string {
  const bare = name.normalize('NFKD').replace(/\p{M}/gu, '');
  // Upper case first: it turns ß into SS, as passports do.
  return bare
    .toUpperCase()
    .toLowerCase()
    .replace(/[\s\p{Pd}]+/gu, ' ')
    .trim();
}

import type { Partly } from '../../fields/field.ts';
import { below } from '../../fields/paths.ts';
import type { JsonObject } from '../../input/json.ts';
import { knownParts } from '../answers.ts';
import type { StepKey } from '../flow.ts';
import { oncePer } from '../once-per.ts';
import type { CompanyPerson } from '../steps/ownership.ts';
import type { Verification } from '../verification.ts';

/** A person in the answers to a step. A part that the answers lack is absent. */
export interface PersonInAnswers {
  readonly step: StepKey;
  /** The path in the answers; empty if all of them are about this person. */
  readonly path: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly dateOfBirth?: string | undefined;
  readonly nationalities: readonly string[];
}

interface NamedPerson extends PersonInAnswers {
  readonly lastName: string;
}

/** Lists the people in the current answers. */
export function peopleOf({ steps }: Pick<Verification, 'steps'>): readonly PersonInAnswers[] {
  return peopleInSteps(steps);
}

/** Parsed once: several warnings ask for the people. */
const peopleInSteps = oncePer((steps: Verification['steps']): readonly PersonInAnswers[] =>
  Object.entries(steps).flatMap(([step, { answers }]) => peopleIn(step as StepKey, answers)),
);

/** Lists the people in the answers to a step. */
export function peopleIn(step: StepKey, answers: JsonObject): PersonInAnswers[] {
  switch (step) {
    case 'person': {
      const { firstName, lastName, dateOfBirth, nationalities = [] } = knownParts(step, answers);
      return [{ step, path: '', firstName, lastName, dateOfBirth, nationalities: present(nationalities) }];
    }
    case 'consent': {
      const consent = knownParts(step, answers);
      if (!('representative' in consent) || consent.representative === undefined) return [];
      const { firstName, lastName } = consent.representative;
      return [{ step, path: 'representative', firstName, lastName, nationalities: [] }];
    }
    case 'ownership': {
      const { directors = [], beneficialOwners = [], seniorManagers = [] } = knownParts(step, answers);
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

function listed(path: string, people: Partly<readonly CompanyPerson[]>): PersonInAnswers[] {
  return people.map((person, index) => ({
    step: 'ownership',
    path: below(path, index),
    firstName: person?.firstName,
    lastName: person?.lastName,
    dateOfBirth: person?.dateOfBirth,
    nationalities: present([person?.nationality]),
  }));
}

/** Returns the list without entries that the answers lack. */
export function present<T>(list: readonly (T | undefined)[]): T[] {
  return list.filter((entry) => entry !== undefined);
}

/** Whether the answers have the person's name. A person with one name has no first name. */
export function isNamed(person: PersonInAnswers): person is NamedPerson {
  return person.lastName !== undefined;
}

/** Returns the name of a person in one text. */
export function nameOf({ firstName, lastName }: NamedPerson): string {
  return firstName === undefined ? lastName : `${firstName} ${lastName}`;
}

/** Whether two people have the same name. False if the answers lack a part of one. */
export function isNamesake(a: PersonInAnswers, b: PersonInAnswers): boolean {
  if (!isNamed(a) || !isNamed(b)) return false;
  return (
    comparable(a.firstName ?? '') === comparable(b.firstName ?? '') &&
    comparable(a.lastName) === comparable(b.lastName)
  );
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

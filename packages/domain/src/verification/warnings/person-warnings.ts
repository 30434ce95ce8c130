import { below } from '../../fields/paths.ts';
import type { StepKey } from '../flow.ts';
import { isOfAge } from '../steps/minimum-age.ts';
import type { Verification } from '../verification.ts';
import {
  comparable,
  isNamed,
  isNamesake,
  nameOf,
  type PersonInAnswers,
  peopleIn,
  peopleOf,
} from './named-people.ts';
import type { ReviewWarning, WarningContext } from './review-warning.ts';

/** Warns of people under the minimum age: company people are never asked, and the setting may have changed since. */
export function ageWarnings(verification: Verification, context: WarningContext): ReviewWarning[] {
  return peopleOf(verification)
    .filter(({ dateOfBirth }) => dateOfBirth !== undefined && !isOfAge(dateOfBirth, context))
    .map(({ step, path }) => ({ code: 'under_age', step, path: below(path, 'dateOfBirth') }));
}

/** Warns of a name that differs from an earlier one, and of a representative whom the business does not name. */
export function nameWarnings(verification: Verification): ReviewWarning[] {
  return [...changedNames(verification), ...strangers(verification)];
}

/** Warns of different dates of birth of one person, in the current answers or before and after a redo. */
export function dateWarnings(verification: Verification): ReviewWarning[] {
  const people = peopleOf(verification);
  return people.flatMap((person, index) => {
    const { step, path, dateOfBirth } = person;
    if (dateOfBirth === undefined) return [];
    const others = people.slice(0, index).filter((other) => isNamesake(other, person));
    const dates = [...datesOf(others), ...earlierDates(verification, person)];
    return [...new Set(dates)]
      .filter((date) => date !== dateOfBirth)
      .map((detail) => ({ code: 'date_mismatch', step, path: below(path, 'dateOfBirth'), detail }) as const);
  });
}

function datesOf(people: readonly PersonInAnswers[]): string[] {
  return people.flatMap(({ dateOfBirth }) => dateOfBirth ?? []);
}

/** Returns the person's earlier dates of birth. In lists of people, namesakes are kept apart by their dates. */
function earlierDates(verification: Verification, person: PersonInAnswers): readonly string[] {
  const earlier = earlierPeople(verification, person.step);
  if (person.step === 'person') return datesOf(earlier);
  const dates = datesOf(earlier.filter((other) => isNamesake(other, person)));
  return dates.includes(person.dateOfBirth ?? '') ? [] : dates;
}

function changedNames(verification: Verification): ReviewWarning[] {
  const single = peopleOf(verification).filter(({ step }) => step === 'person' || step === 'consent');
  return single.filter(isNamed).flatMap((person) => {
    const reported = new Set<string>();
    const before = earlierPeople(verification, person.step).filter(isNamed);
    return before.flatMap((earlier): ReviewWarning[] => {
      const name = nameOf(earlier);
      if (isNamesake(earlier, person) || reported.has(name)) return [];
      reported.add(name);
      const isSameFirst = comparable(earlier.firstName ?? '') === comparable(person.firstName ?? '');
      const field = isSameFirst || person.firstName === undefined ? 'lastName' : 'firstName';
      return [{ code: 'name_mismatch', step: person.step, path: below(person.path, field), detail: name }];
    });
  });
}

/** Warns of a representative whom the business names neither as director nor as owner nor as manager. */
function strangers(verification: Verification): ReviewWarning[] {
  if (verification.steps.ownership === undefined) return [];
  const people = peopleOf(verification);
  const company = people.filter(({ step }) => step === 'ownership');
  return people
    .filter((person) => person.step === 'consent' && isNamed(person))
    .filter((person) => !company.some((member) => isNamesake(member, person)))
    .map(({ step, path }) => ({ code: 'name_mismatch', step, path }));
}

function earlierPeople({ earlierAnswers }: Verification, step: StepKey): PersonInAnswers[] {
  return earlierAnswers
    .filter((earlier) => earlier.step === step)
    .flatMap(({ answers }) => peopleIn(step, answers));
}

import { z } from 'zod';
import type { Issue } from '../../errors.ts';
import { country, date, inThePast, name } from './fields.ts';
import type { Partly } from './partly.ts';
import { defineStep, type Step, type StepContext, type StepDefinition } from './step.ts';

/** A natural person who directs, owns or manages the business. */
export interface CompanyPerson {
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth: string;
  readonly nationality: string;
}

export const CONTROL_TYPES = ['direct_shares', 'indirect_shares', 'voting_rights', 'other'] as const;

export interface BeneficialOwner extends CompanyPerson {
  /** Above 0, at most 100. */
  readonly ownershipPercent: number;
  readonly controlType: (typeof CONTROL_TYPES)[number];
  /** Country of residence. */
  readonly country: string;
}

/** Who directs the business and who owns it; where nobody owns enough of it, who manages it. */
export interface Ownership {
  readonly directors: readonly CompanyPerson[];
  readonly beneficialOwners?: readonly BeneficialOwner[] | undefined;
  readonly noBeneficialOwner?: true | undefined;
  readonly seniorManagers?: readonly CompanyPerson[] | undefined;
}

const PEOPLE_MAX = 50;
const WHOLE_PERCENT = 100;
/** Shares are compared in millionths of a percent, so that 33.3 + 33.3 + 33.4 is 100. */
const PRECISION = 1_000_000;

const personShape = { firstName: name, lastName: name, dateOfBirth: date, nationality: country };
const companyPerson = z.strictObject(personShape);

const fields: StepDefinition<Ownership>['fields'] = {
  directors: z.array(companyPerson).min(1).max(PEOPLE_MAX),
  beneficialOwners: z
    .array(
      z.strictObject({
        ...personShape,
        ownershipPercent: z.number().gt(0).max(WHOLE_PERCENT),
        controlType: z.enum(CONTROL_TYPES),
        country,
      }),
    )
    .max(PEOPLE_MAX)
    .optional(),
  noBeneficialOwner: z.literal(true).optional(),
  seniorManagers: z.array(companyPerson).max(PEOPLE_MAX).optional(),
};

function rules(answers: Partly<Ownership>, context: StepContext): Issue[] {
  const {
    directors = [],
    beneficialOwners: owners = [],
    noBeneficialOwner,
    seniorManagers: managers = [],
  } = answers;
  const issues: Issue[] = [
    ...birthDates('directors', directors, context),
    ...birthDates('beneficialOwners', owners, context),
    ...birthDates('seniorManagers', managers, context),
  ];
  if (noBeneficialOwner === undefined && owners.length === 0) {
    const message = 'name each beneficial owner, or state that there is none';
    issues.push({ path: 'beneficialOwners', message, code: 'owners_missing' });
  }
  if (noBeneficialOwner && owners.length > 0) {
    const message = 'contradicts the beneficial owners named';
    issues.push({ path: 'noBeneficialOwner', message, code: 'owners_contradicted' });
  }
  if (noBeneficialOwner && managers.length === 0) {
    const message = 'needed where there is no beneficial owner';
    issues.push({ path: 'seniorManagers', message, code: 'managers_missing' });
  }
  const direct = owners.map((owner) =>
    owner?.controlType === 'direct_shares' ? (owner.ownershipPercent ?? 0) : 0,
  );
  const shares = direct.reduce((sum, percent) => sum + Math.round(percent * PRECISION), 0);
  if (shares > WHOLE_PERCENT * PRECISION) {
    issues.push({
      path: 'beneficialOwners',
      message: `direct shares add up to ${shares / PRECISION} %, more than 100`,
      code: 'shares_over_100',
    });
  }
  return issues;
}

function birthDates(
  path: string,
  people: readonly (Partly<CompanyPerson> | undefined)[],
  context: StepContext,
): Issue[] {
  return people.flatMap((person, index) =>
    inThePast(`${path}.${index}.dateOfBirth`, person?.dateOfBirth, context),
  );
}

export const ownership: Step = defineStep<Ownership>({ fields, rules });

import { z } from 'zod';
import type { Issue } from '../../errors.ts';
import { country, date, inThePast, name } from './fields.ts';
import { defineStep, type Step, type StepContext } from './step.ts';

/** A natural person who directs, owns or manages the business. */
export interface CompanyPerson {
  readonly firstName: string;
  readonly lastName: string;
  readonly dateOfBirth: string;
  readonly nationality: string;
}

const CONTROL_TYPES = ['direct_shares', 'indirect_shares', 'voting_rights', 'other'] as const;

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

const schema: z.ZodType<Ownership> = z.strictObject({
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
});

function rules(answers: Ownership, context: StepContext): Issue[] {
  const { directors, beneficialOwners: owners = [], noBeneficialOwner, seniorManagers: managers = [] } = answers;
  const issues: Issue[] = [
    ...birthDates('directors', directors, context),
    ...birthDates('beneficialOwners', owners, context),
    ...birthDates('seniorManagers', managers, context),
  ];
  if (noBeneficialOwner === undefined && owners.length === 0) {
    issues.push({ path: 'beneficialOwners', message: 'name each beneficial owner, or state that there is none' });
  }
  if (noBeneficialOwner && owners.length > 0) {
    issues.push({ path: 'noBeneficialOwner', message: 'contradicts the beneficial owners named' });
  }
  if (noBeneficialOwner && managers.length === 0) {
    issues.push({ path: 'seniorManagers', message: 'needed where there is no beneficial owner' });
  }
  const direct = owners.filter(({ controlType }) => controlType === 'direct_shares');
  const shares = direct.reduce((sum, { ownershipPercent }) => sum + Math.round(ownershipPercent * PRECISION), 0);
  if (shares > WHOLE_PERCENT * PRECISION) {
    issues.push({
      path: 'beneficialOwners',
      message: `direct shares add up to ${shares / PRECISION} %, more than 100`,
    });
  }
  return issues;
}

function birthDates(path: string, people: readonly CompanyPerson[], context: StepContext): Issue[] {
  return people.flatMap(({ dateOfBirth }, index) =>
    inThePast(`${path}.${index}.dateOfBirth`, dateOfBirth, context),
  );
}

export const ownership: Step = defineStep<Ownership>({ schema, rules });

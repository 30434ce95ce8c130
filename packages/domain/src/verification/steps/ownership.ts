import type { Issue } from '../../errors.ts';
import type { Fields, Partly } from '../../fields/field.ts';
import { sampleDay } from '../../fields/sample.ts';
import { defineStep, type Step, type StepContext } from '../../fields/step.ts';
import { birthDateField, inThePast, nameFields, type PersonName } from './shared-fields.ts';

/** A natural person who directs, owns or manages the business. */
export interface CompanyPerson extends PersonName {
  readonly dateOfBirth: string;
  readonly nationality: string;
}

export const CONTROL_TYPES = ['direct_shares', 'indirect_shares', 'voting_rights', 'other'] as const;

/** An owner of more than `OWNER_SHARE_PERCENT`. */
export interface BeneficialOwner extends CompanyPerson {
  /** Above 0, at most 100. */
  readonly ownershipPercent: number;
  readonly controlType: (typeof CONTROL_TYPES)[number];
  /** Country of residence. */
  readonly country: string;
}

/** Directors and beneficial owners of the business; senior managers if it has no beneficial owner. */
export interface Ownership {
  readonly directors: readonly CompanyPerson[];
  readonly beneficialOwners?: readonly BeneficialOwner[] | undefined;
  readonly noBeneficialOwner?: true | undefined;
  readonly seniorManagers?: readonly CompanyPerson[] | undefined;
}

const PEOPLE_MAX = 50;
/** Above this share, in percent, an owner is a beneficial owner (Directive (EU) 2015/849, article 3). */
export const OWNER_SHARE_PERCENT = 25;
/** All shares of a business, in percent. */
export const WHOLE_PERCENT = 100;
/** Shares are compared in millionths of a percent, so that 33.3 + 33.3 + 33.4 is 100. */
const PRECISION = 1_000_000;

const personFields: Fields<CompanyPerson> = {
  ...nameFields,
  dateOfBirth: birthDateField,
  nationality: { kind: 'country' },
};

const ownerFields: Fields<BeneficialOwner> = {
  ...personFields,
  country: { kind: 'country' },
  ownershipPercent: { kind: 'number', above: 0, max: WHOLE_PERCENT, unit: 'percent' },
  controlType: { kind: 'choice', of: CONTROL_TYPES },
};

export const ownership: Step = defineStep<Ownership>({
  fields: {
    directors: { kind: 'rows', fields: personFields, min: 1, max: PEOPLE_MAX },
    noBeneficialOwner: { kind: 'statement', optional: true },
    beneficialOwners: { kind: 'rows', fields: ownerFields, max: PEOPLE_MAX, optional: true },
    seniorManagers: {
      kind: 'rows',
      fields: personFields,
      min: 1,
      max: PEOPLE_MAX,
      when: { noBeneficialOwner: [true] },
    },
  },
  pages: {
    directors: ['directors'],
    owners: ['noBeneficialOwner', 'beneficialOwners'],
    managers: ['seniorManagers'],
  },
  rules,
  sample: ({ now, minimumAge }) => {
    const dateOfBirth = sampleDay(now, -minimumAge - 10);
    const owner = { firstName: 'Sandbox', lastName: 'Sample', dateOfBirth, nationality: 'DE' };
    return {
      beneficialOwners: [
        { ...owner, country: 'DE', ownershipPercent: WHOLE_PERCENT, controlType: 'direct_shares' },
      ],
    };
  },
});

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
    const message = 'must name each beneficial owner, unless noBeneficialOwner is true';
    issues.push({ path: 'beneficialOwners', message, code: 'owners_missing' });
  }
  if (noBeneficialOwner && owners.length > 0) {
    const message = 'must not be true when beneficial owners are named';
    issues.push({ path: 'noBeneficialOwner', message, code: 'owners_contradicted' });
  }
  const direct = owners.map((owner) =>
    owner?.controlType === 'direct_shares' ? (owner.ownershipPercent ?? 0) : 0,
  );
  const shares = direct.reduce((sum, percent) => sum + Math.round(percent * PRECISION), 0);
  if (shares > WHOLE_PERCENT * PRECISION) {
    issues.push({
      path: 'beneficialOwners',
      message: `has direct shares of ${shares / PRECISION} %; together they must be at most 100`,
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

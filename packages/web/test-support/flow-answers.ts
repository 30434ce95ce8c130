import type { SubjectType } from '@countersign/domain';
import { currentFlow } from '@countersign/domain/flows';
import { ANSWERS, PAGE_ANSWERS, type Typed } from '@countersign/test-support/pages/page-answers';

/** The subject's input on each screen: the shared answers, some in a form that the server normalises. */
export const TYPED: Readonly<Record<SubjectType, Readonly<Partial<Record<string, Typed>>>>> = {
  kyc: {
    ...ANSWERS.kyc,
    details: {
      ...ANSWERS.kyc.details,
      firstName: ' Ada ',
      middleNames: '',
      lastName: "O'Brien-Łukasz",
      email: 'ada@example.org',
      phone: '0049 (151) 123-45678',
    },
  },
  kyb: {
    ...ANSWERS.kyb,
    business: { ...ANSWERS.kyb.business, tradingNames: 'Müller\r\n\r\nM & S' },
    activity: { ...ANSWERS.kyb.activity, activity: 'Machine tools', website: 'www.example.org' },
    owners: { ...ANSWERS.kyb.owners, 'beneficialOwners.0.ownershipPercent': '33,3' },
  },
};

/** The subject's input on each page of flow version 1. */
export const TYPED_BY_PAGE: typeof TYPED = {
  kyc: {
    ...PAGE_ANSWERS.kyc,
    name: { firstName: ' Ada ', lastName: "O'Brien-Łukasz" },
    contact: { email: 'ada@example.org', phone: '0049 (151) 123-45678' },
  },
  kyb: {
    ...PAGE_ANSWERS.kyb,
    business: { ...PAGE_ANSWERS.kyb.business, tradingNames: 'Müller\r\n\r\nM & S' },
    activity: { activity: 'Machine tools', website: 'www.example.org' },
    owners: { ...PAGE_ANSWERS.kyb.owners, 'beneficialOwners.0.ownershipPercent': '33,3' },
  },
};

/** Removes the answers to fields with a switch: what no subject types while the client's switches are off. */
export function withoutSwitched(
  type: SubjectType,
  screens: Readonly<Partial<Record<string, Typed>>>,
): Readonly<Record<string, Typed>> {
  const switched = Object.values(currentFlow(type).steps).flatMap(({ fields }) =>
    Object.keys(fields).filter((key) => fields[key]?.asked !== undefined),
  );
  const isKept = ([name]: [string, string]) => !switched.includes(name.split('.', 1)[0] ?? '');
  return Object.fromEntries(
    Object.entries(screens).map(([slug, typed = {}]) => [
      slug,
      Object.fromEntries(Object.entries(typed).filter(isKept)),
    ]),
  );
}

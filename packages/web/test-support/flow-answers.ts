import type { SubjectType } from '@countersign/domain';
import { ANSWERS, type Typed } from '@countersign/test-support/pages/page-answers';

/** The subject's input on each page of a flow: the shared answers, some in a form that the server normalises. */
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

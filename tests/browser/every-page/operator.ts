import { newMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import type { Looking } from './looking.ts';

/** Creates an operator who has confirmed their password. */
export async function givenOperator({ site }: Pick<Looking, 'site'>): Promise<StaffForms> {
  const operator = await newMember(site.server, { role: 'operator' });
  await operator.confirm();
  return operator;
}

import { newMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import type { Looking } from './looking.ts';

/** Somebody who runs the service, and has confirmed who they are. */
export async function givenOperator({ site }: Pick<Looking, 'site'>): Promise<StaffForms> {
  const operator = await newMember(site.server, { role: 'operator' });
  await operator.confirm();
  return operator;
}

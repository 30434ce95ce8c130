import { newMember, type StaffForms } from '../../given/staff-forms.ts';
import type { Looking } from './looking.ts';

/** Somebody who runs the service, and has confirmed who they are. */
export async function givenOperator({ site }: Pick<Looking, 'site'>): Promise<StaffForms> {
  const operator = await newMember(site.server, { role: 'operator' });
  await operator.confirm();
  return operator;
}

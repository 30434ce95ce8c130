import {
  CountersignError,
  type Issue,
  type NewStaffMember,
  STAFF_ROLES,
  type StaffRole,
} from '@countersign/domain';
import { z } from 'zod';

const NAME_MAX = 100;
const EMAIL_MAX = 254;

const email = z.email('must be an e-mail address').max(EMAIL_MAX, `must have at most ${EMAIL_MAX} characters`);

/** An e-mail as it is kept and looked for. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** A new member whose values can be kept. */
export interface CheckedMember {
  readonly email: string;
  readonly name: string;
  readonly role: StaffRole;
  readonly clientId: string | null;
}

/** @throws CountersignError `INVALID_PARAMETERS` with an issue for each field that cannot be kept */
export function checkedNewMember(input: NewStaffMember): CheckedMember {
  const address = normalEmail(input.email);
  const name = input.name?.trim() || (address.split('@')[0] ?? '');
  const issues: Issue[] = [];
  const parsed = email.safeParse(address);
  if (!parsed.success) issues.push({ path: 'email', message: parsed.error.issues[0]?.message ?? 'is wrong' });
  if (name.length > NAME_MAX) issues.push({ path: 'name', message: `must have at most ${NAME_MAX} characters` });
  if (!STAFF_ROLES.includes(input.role)) {
    issues.push({ path: 'role', message: `must be one of ${STAFF_ROLES.join(', ')}` });
  } else if ((input.role === 'client') !== (input.clientId !== undefined)) {
    const message = input.role === 'client' ? 'is needed with the role client' : 'belongs to the role client';
    issues.push({ path: 'client', message });
  }
  if (issues.length > 0) {
    throw new CountersignError('INVALID_PARAMETERS', 'The staff member cannot be made', { data: { issues } });
  }
  return { email: address, name, role: input.role, clientId: input.clientId ?? null };
}

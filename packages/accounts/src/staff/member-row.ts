import { STAFF_ROLES, type StaffMember } from '@countersign/domain';

interface MemberRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly client_id: string | null;
}

/** A person from a row, which a constraint of the database keeps from having any other role. */
export function memberOf({ id, email, name, role, client_id: clientId }: MemberRow): StaffMember {
  const known = STAFF_ROLES.find((candidate) => candidate === role);
  if (known === undefined) throw new Error(`The staff member ${id} has an unknown role`);
  return { id, email, name, role: known, clientId };
}

import type { ManageStaff } from '@countersign/domain';

/** Somebody to try the console with. The link works once: printed, kept nowhere. */
export interface DemoStaff {
  readonly email: string;
  readonly signInUrl: string;
}

/** Always the same one: of several servers that start at once on an empty database, one makes it. */
const EMAIL = 'reviewer@demo.example';

/** A reviewer, where nobody has an account yet; of several callers at once, one gets it. */
export async function createDemoStaff(
  staff: Pick<ManageStaff, 'create' | 'list'>,
  publicBaseUrl: string,
): Promise<DemoStaff | undefined> {
  if ((await staff.list()).length > 0) return undefined;
  const made = await staff.create({ email: EMAIL, name: 'Demo reviewer', role: 'reviewer' });
  if (made.outcome === 'exists') return undefined;
  return { email: EMAIL, signInUrl: `${publicBaseUrl}${made.invitationPath}` };
}

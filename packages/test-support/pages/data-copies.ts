import type { StaffForms } from './staff-forms.ts';

/** A released copy of a person's data, as the page shows it once. */
export interface ReleasedCopy {
  /** The path of the link. */
  readonly path: string;
  readonly code: string;
}

/** Releases a copy as a user who has confirmed the password. @param page of the release, such as `/dashboard/verifications/…/data-copy` */
export async function releaseCopy(staff: StaffForms, page: string): Promise<ReleasedCopy> {
  const answer = await staff.post(page);
  const shown = await answer.text();
  if (answer.status !== 200) throw new Error(`the release was answered with ${answer.status}`);
  const fieldOf = (id: string) => new RegExp(`id="${id}"[^>]* value="([^"]+)"`).exec(shown)?.[1] ?? '';
  return { path: new URL(fieldOf('export-link')).pathname, code: fieldOf('export-code') };
}

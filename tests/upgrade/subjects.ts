import type { SubjectType } from '@countersign/domain';
import { createApiClient, dataOf, newSubject } from '@countersign/test-support/api/api-client';
import { typedOn } from '@countersign/test-support/pages/page-answers';
import { card } from '@countersign/test-support/pages/pictures';
import { openSubjectForms, type SubjectContent } from '@countersign/test-support/pages/subject-forms';
import type { ServerProcess } from '@countersign/test-support/processes/server-process';
import { expect } from 'vitest';

const PICTURE = new Uint8Array(await card('Specimen'));
const CONTENT: SubjectContent = { file: () => new Blob([PICTURE]) };

/** A verification in progress. */
export interface Begun {
  readonly id: string;
  readonly type: SubjectType;
  readonly link: string;
}

/** Creates a verification on a server and answers its first pages. */
export async function beginOn(server: ServerProcess, key: string, type: SubjectType): Promise<Begun> {
  const subject = { ...newSubject(`begun ${crypto.randomUUID()}`), subjectType: type };
  const created = dataOf(await createApiClient(server.baseUrl, key).post(subject));
  const link = String(created.verificationUrl);
  const forms = await openSubjectForms(link, type, { address: server.origin });
  await forms.next(CONTENT);
  expect(await forms.next(CONTENT)).not.toBe('consent');
  return { id: String(created.id), type, link };
}

/** Answers the next pages of a verification on a server, up to one that asks for a file: a kept program cannot read uploads. */
export async function typeOn(server: ServerProcess, { link, type }: Begun): Promise<void> {
  const forms = await openSubjectForms(link, type, { address: server.origin });
  const first = await forms.next(CONTENT);
  while (typedOn(type, forms.slug()) !== undefined) await forms.next(CONTENT);
  expect(['', first]).not.toContain(forms.slug());
  expect((await forms.get()).status).toBe(200);
}

/** Answers the rest of a verification on a server, up to a page or to its submission. */
export async function finishOn(server: ServerProcess, { link, type }: Begun, until?: string): Promise<void> {
  await (await openSubjectForms(link, type, { address: server.origin })).walk(CONTENT, until);
}

import type { SubjectType } from '@countersign/domain';
import { type ApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { pdf } from '@countersign/test-support/pages/pictures';
import { openSubjectForms, type SubjectContent } from '@countersign/test-support/pages/subject-forms';
import { LONG } from './looking.ts';

let made = 0;

/** Submits a verification over plain forms; its reference is too long for a narrow screen. */
export async function handedIn(
  { api, good }: { readonly api: ApiClient; readonly good: Blob },
  type: SubjectType,
  content: Partial<SubjectContent> = {},
): Promise<{ id: string; url: string }> {
  made += 1;
  const answer = await api.post({ subjectType: type, subjectReference: `${LONG}-${made}` });
  const verification = { id: idOf(answer), url: String(dataOf(answer).verificationUrl) };
  const { file: picture = () => good } = content;
  const file = (slug: string) => (isPaper(slug) ? new Blob([pdf('Paper')]) : picture(slug));
  await (await openSubjectForms(verification.url, type)).walk({ ...content, file });
  return verification;
}

/** Tells whether a page asks for a paper document rather than a picture of a face or card. */
export function isPaper(slug: string): boolean {
  return !/^(selfie|document-)/.test(slug);
}

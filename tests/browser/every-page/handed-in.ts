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
  const file = (slug: string) => {
    const chosen = picture(slug);
    return chosen === null ? null : fileFor(slug, chosen);
  };
  await (await openSubjectForms(verification.url, type)).walk({ ...content, file });
  return verification;
}

/** The page that gets a PDF. All others get a picture, because the server decodes it in half the time. */
const PAPER = 'registration-extract';

/** Returns the file for a page: a PDF or the picture. */
export function fileFor(slug: string, picture: Blob): Blob {
  return slug === PAPER ? new Blob([pdf('Paper')]) : picture;
}

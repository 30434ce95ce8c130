import { expect } from 'vitest';
import { type ApiClient, dataOf } from '../api/api-client.ts';
import type { StaffForms } from '../pages/staff-forms.ts';
import { openSubjectForms, type SubjectForms } from '../pages/subject-forms.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { until } from '../processes/until.ts';
import type { Canaries } from './canaries.ts';
import { rowsIn } from './rows-in.ts';

/** What subjects and reviewers enter into a verification, through pages. */
export interface CanaryCourses {
  /** Opens the link as the subject. */
  open(id: string, subject: Canaries): Promise<SubjectForms>;
  /** Answers everything and submits. Adds bytes of the picture that is kept. */
  submitted(id: string, subject: Canaries): Promise<void>;
  approved(id: string, subject: Canaries): Promise<void>;
  rejected(id: string, subject: Canaries): Promise<void>;
  /** Asks for action on two steps, one of which is only drafted. */
  asked(id: string, subject: Canaries): Promise<void>;
  /** Leaves half a step as a draft. */
  unfinished(id: string, subject: Canaries): Promise<void>;
  /** Submits invalid input, which only the page may repeat. */
  withRefusals(id: string, subject: Canaries): Promise<void>;
}

/** @param server a server that reads documents */
export function canaryCourses(server: ServerProcess, api: ApiClient, reviewer: StaffForms): CanaryCourses {
  return { open, submitted, approved, rejected, asked, unfinished, withRefusals };

  async function submitted(id: string, subject: Canaries): Promise<void> {
    const forms = await open(id, subject);
    const pictures = new Set<string>();
    const file = (slug: string) => {
      if (slug.startsWith('document-')) pictures.add(slug);
      return subject.content.file(slug);
    };
    await forms.walk({ ...subject.content, file }, 'check');
    await addStoredPicture(forms, subject);
    // A reading after the decision would not be stored, and one shortly before it would change the warnings.
    await until(async () => (await readingsOf(server, id)) >= pictures.size);
    await forms.walk(subject.content);
    expect(dataOf(await api.get(`/verifications/${id}`)).status).toBe('submitted');
  }

  async function approved(id: string, subject: Canaries): Promise<void> {
    await submitted(id, subject);
    await reviewer.act(id, 'note', { 'note.internalNote': subject.note('beside') });
    await reviewer.act(id, 'approve', { 'approve.internalNote': subject.note('approval') });
  }

  async function rejected(id: string, subject: Canaries): Promise<void> {
    await submitted(id, subject);
    await reviewer.act(id, 'reject', {
      'reject.reasonCodes': 'data_mismatch',
      'reject.message': subject.note('rejection'),
      'reject.internalNote': subject.note('internal'),
    });
  }

  async function asked(id: string, subject: Canaries): Promise<void> {
    await submitted(id, subject);
    await reviewer.act(id, 'claim');
    const steps = subject.type === 'kyc' ? ['person', 'document'] : ['ownership', 'representative'];
    for (const step of steps) {
      await reviewer.post(`/review/${id}/ask`, { [`ask.${step}.note`]: subject.note(`unsent ${step}`) });
    }
    const [step = ''] = steps;
    await reviewer.act(id, 'ask', {
      'ask.steps': step,
      [`ask.${step}.reasonCode`]: 'data_mismatch',
      [`ask.${step}.note`]: subject.note('step'),
      'ask.message': subject.note('message'),
      'ask.internalNote': subject.note('asking'),
    });
  }

  async function unfinished(id: string, subject: Canaries): Promise<void> {
    const forms = await open(id, subject);
    await forms.walk(subject.content, subject.type === 'kyc' ? 'details' : 'activity');
  }

  async function withRefusals(id: string, subject: Canaries): Promise<void> {
    const forms = await open(id, subject);
    const { answers } = subject.content;
    const [screen, name] = subject.type === 'kyc' ? ['details', 'name'] : ['consent', 'your-details'];
    await forms.walk(subject.content, screen);
    const [field = '', typed = ''] = Object.entries(answers[name] ?? {})[0] ?? [];
    const form = new URLSearchParams({ [field]: `${typed} ${'x'.repeat(100)}` });
    expect((await forms.post(screen, form)).status).toBe(422);
    await forms.get(`files/${encodeURIComponent(typed)}`);
    await forms.get(`${screen}?again=${encodeURIComponent(typed)}`);

    const slug = 'document-front';
    await forms.walk(subject.content, slug);
    const picture = new Uint8Array((await subject.content.file(slug)?.arrayBuffer()) ?? []);
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><text>${subject.note('drawing')}</text></svg>`;
    for (const bad of [picture.subarray(0, picture.length - 200), new TextEncoder().encode(drawing)]) {
      const body = new FormData();
      body.set('file', new File([bad.slice()], subject.note('refused file')));
      expect((await forms.post(slug, body)).status).toBe(422);
    }
    await submitted(id, subject);
  }

  async function open(id: string, { type }: Canaries): Promise<SubjectForms> {
    const { verificationUrl } = dataOf(await api.get(`/verifications/${id}`));
    return openSubjectForms(String(verificationUrl), type);
  }
}

/** Counts the readings of a verification's pictures, which are sealed. */
export async function readingsOf(server: ServerProcess, verificationId: string): Promise<number> {
  return (await rowsIn(server, `SELECT 1 FROM readings WHERE verification_id = '${verificationId}'`)).length;
}

/** Adds the re-encoded picture, which is the one stored on disk. */
async function addStoredPicture(forms: SubjectForms, subject: Canaries): Promise<void> {
  const page = await (await forms.get('document-front')).text();
  const path = /\/(files\/[\w-]+)"/.exec(page)?.[1];
  // The step was not requested again; its picture was added the first time.
  if (path === undefined) return;
  const kept = Buffer.from(await (await forms.get(path)).arrayBuffer());
  expect(kept.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  subject.add({ name: 'first bytes of a kept picture', content: kept.subarray(0, 96) });
  subject.add({ name: 'last bytes of a kept picture', content: kept.subarray(-96) });
}

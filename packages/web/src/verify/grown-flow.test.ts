import { BUILT_IN_FLOWS, currentFlow, defineStep, type Flow } from '@countersign/domain/flows';
import { newJpeg } from '@countersign/test-support/service/new-files';
import { describe, expect, it } from 'vitest';
import { BASE_URL, type GivenCases } from '../../test-support/cases.ts';
import { type GivenConsole, givenConsole } from '../../test-support/console.ts';
import { TYPED_BY_PAGE } from '../../test-support/flow-answers.ts';
import { createSubjectBrowser, type Shown, type SubjectBrowser } from '../../test-support/subject-browser.ts';

/** A step with fields that no text and no page of this package names. */
interface Residence {
  readonly fileId: string;
  readonly occupation?: string | undefined;
  readonly residency: 'citizen' | 'settled' | 'visiting';
  readonly permitFileId?: string | undefined;
}

const residence = defineStep<Residence>({
  fields: {
    fileId: { kind: 'file', evidence: 'selfie' },
    occupation: { kind: 'text', max: 40, optional: true },
    residency: { kind: 'choice', of: ['citizen', 'settled', 'visiting'] },
    permitFileId: { kind: 'file', evidence: 'authority', when: { residency: ['settled', 'visiting'] } },
  },
  pages: {
    selfie: ['fileId'],
    residence: ['occupation', 'residency'],
    permit: ['permitFileId'],
  },
});

const [first] = BUILT_IN_FLOWS.kyc as readonly [Flow];
const flows = {
  ...BUILT_IN_FLOWS,
  kyc: [first, { ...first, version: first.version + 1, steps: { ...first.steps, selfie: residence } }],
};

const BASE = new URL(BASE_URL).pathname;

interface GivenSubject {
  readonly console: GivenConsole;
  readonly browser: SubjectBrowser;
  readonly id: string;
}

async function givenSubject(): Promise<GivenSubject> {
  const console = await givenConsole({}, { flows });
  const id = await console.pending();
  return { console, browser: createSubjectBrowser(console.web, BASE), id };
}

async function linkOf({ countersign, principal }: GivenCases, id: string): Promise<string> {
  const { verificationUrl } = await countersign.verifications.get(principal, id);
  return new URL(verificationUrl).pathname;
}

const ANSWERS = { ...TYPED_BY_PAGE.kyc, residence: { occupation: ' Baker ', residency: 'settled' } };

/** Answers page after page until the one named is open, or all is submitted. */
async function walk({ console, browser, id }: GivenSubject, until?: string): Promise<Shown> {
  const start = await browser.open(await linkOf(console, id));
  let page = await browser.open(start.document.querySelector('#page-form')?.getAttribute('action') ?? '');
  for (let pages = 0; pages < 40; pages += 1) {
    const slug = page.address.split('?')[0]?.split('/')[3] ?? '';
    if (slug === until || page.document.querySelector('main form') === null) return page;
    const asksFile = page.document.querySelector('form[enctype]') !== null;
    page = await browser.submit(
      asksFile ? await browser.upload(page, newJpeg()) : page,
      ANSWERS[slug as keyof typeof ANSWERS],
    );
    if (page.status !== 200) throw new Error(`${slug}: ${JSON.stringify(page.errors)}`);
  }
  throw new Error('The flow does not end');
}

describe('a flow with one more text, one more choice and one more file', () => {
  it('its page draws a control for each field and marks the optional one', async () => {
    const page = await walk(await givenSubject(), 'residence');
    const labels = [...page.document.querySelectorAll('form .field > label, form .field > legend')];
    expect(labels.map((label) => label.textContent?.trim())).toEqual(['occupation (optional)', 'residency']);
    const choices = [...page.document.querySelectorAll('input[type="radio"][name="residency"]')];
    expect(choices.map((choice) => choice.getAttribute('value'))).toEqual(['citizen', 'settled', 'visiting']);
  });

  it('an invalid page is shown again with a message at the field', async () => {
    const given = await givenSubject();
    const page = await walk(given, 'residence');
    const again = await given.browser.submit(page, { occupation: 'x'.repeat(41), residency: 'citizen' });
    expect([again.answered, again.status]).toEqual([303, 200]);
    expect(again.errors.map(({ target }) => target)).toEqual(['field-occupation']);
  });

  it('its file is asked for only when its condition holds', async () => {
    const given = await givenSubject();
    const page = await walk(given, 'residence');
    expect((await given.browser.submit(page, { residency: 'visiting' })).address).toMatch(/\/permit$/);
    const back = await given.browser.open(`${BASE}/verify/${given.id}/residence`);
    expect((await given.browser.submit(back, { residency: 'citizen' })).address).toMatch(/\/address$/);
  });

  it('"check your answers" lists its answers', async () => {
    const check = await walk(await givenSubject(), 'check');
    expect(check.html).toContain('Baker');
    expect(check.html).toContain('settled');
    expect(check.document.querySelector('a[href$="/permit?from=check"]')).not.toBeNull();
  });

  it('the review page has a row for each answer', async () => {
    const given = await givenSubject();
    await walk(given);
    const { text } = await given.console.get(`/review/${given.id}`);
    const rows = ['occupation', 'residency', 'permitFileId'].map(
      (path) => new RegExp(`<tr id="answer-selfie-${path}"[\\s\\S]*?</tr>`).exec(text)?.[0] ?? '',
    );
    expect(rows[0]).toContain('Baker');
    expect(rows[1]).toContain('settled');
    expect(rows[2]).toContain(`/review/${given.id}/files/`);
  });

  it('the verification that the API reads has its answers and its file', async () => {
    const given = await givenSubject();
    await walk(given);
    const { countersign, principal } = given.console;
    const { submittedData } = await countersign.verifications.get(principal, given.id);
    expect(submittedData).toMatchObject({ selfie: { occupation: 'Baker', residency: 'settled' } });
    const { documents } = await countersign.verifications.details(principal, given.id);
    expect(documents).toContainEqual(expect.objectContaining({ step: 'selfie', kind: 'authority' }));
  });
});

describe('a flow with one more step', () => {
  const { documents } = currentFlow('kyb').steps;
  const steps = { ...first.steps, ...(documents !== undefined && { documents }) };
  const longer = { ...BUILT_IN_FLOWS, kyc: [first, { ...first, version: first.version + 1, steps }] };
  const fields = {
    'ask.steps': ['document', 'documents'],
    'ask.document.reasonCode': 'document_glare',
    'ask.documents.reasonCode': 'document_unreadable',
  };

  it('a request for action stores each step that the reviewer chose', async () => {
    const given = await givenConsole({}, { flows: longer });
    const id = await given.submitted();
    const shown = await given.act(id, 'ask', fields);
    expect(shown.status).toBe(200);
    for (const reason of ['Document cannot be read', 'Glare on the document'])
      expect(shown.words).toContain(reason);
    expect((await given.act(id, 'ask', { ...fields, confirmed: 'yes' })).status).toBe(303);
    const { verification } = await given.review.open(id);
    expect(verification).toMatchObject({ status: 'action_needed', awaiting: ['document', 'documents'] });
  });

  it.each(['no', 'yes'])(
    'a request for a step that the flow lacks is refused (confirmed: %s)',
    async (confirmed) => {
      const given = await givenConsole();
      const id = await given.submitted();
      const refused = await given.act(id, 'ask', confirmed === 'yes' ? { ...fields, confirmed } : fields);
      expect(refused.status).toBe(422);
      expect((await given.review.open(id)).verification.status).toBe('submitted');
    },
  );
});

import type { SubjectType } from '@countersign/domain';
import type { Page } from 'playwright-core';
import { ANSWERS, type Typed } from '../pages/page-answers.ts';
import { card, pdf } from '../pages/pictures.ts';
import { fillIn } from './fields.ts';
import { leaving } from './leaving.ts';

/** Returns the slug of the open page of the flow, or `state` for the overview. */
export function slugOf(page: Page): string {
  const [, , , slug = 'state'] = new URL(page.url()).pathname.split('/');
  return slug;
}

/** Fills in the form of the page by the names of its fields. */
export function type(page: Page, typed: Typed): Promise<void> {
  return fillIn(page.locator('#page-form'), typed);
}

/** Submits the form of a page with its last button. */
export async function send(page: Page): Promise<void> {
  await leaving(page, () => page.locator('#page-form .next button').click());
}

/** Uploads a file. The page then shows the file or the reason for its refusal. */
export async function sendFile(page: Page, content: Buffer, mimeType = 'image/jpeg'): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name: 'picture', mimeType, buffer: content });
  await leaving(page, () => page.locator('form[data-upload] .next button').click());
}

/** Confirms the uploaded file. */
export async function useFile(page: Page): Promise<void> {
  await leaving(page, () => page.locator('form:has(input[name=fileId]) button').click());
}

/** Optional files, which the walk skips. */
const LEFT_OUT = ['articles', 'ownership-chart', 'business-proof-of-address', 'authority'];

/** Each picture is a new one: a redo with the same would be refused. */
let uploads = 0;

/** Answers the open page and continues to the next. */
async function takePage(page: Page, subject: SubjectType, answers: Typed = {}): Promise<void> {
  const slug = slugOf(page);
  if (slug === 'state') {
    // The first page asks for consent itself.
    if ((await page.locator('#page-form').count()) > 0) {
      await type(page, { ...ANSWERS[subject].consent, ...answers });
      await send(page);
      return;
    }
    await leaving(page, () => page.locator('a.main-action').click());
    return;
  }
  if ((await page.locator('input[type=file]').count()) > 0) {
    if (LEFT_OUT.includes(slug)) {
      await leaving(page, () => page.locator('form.upload-skip button').click());
      return;
    }
    const isPaper = slug === 'registration-extract';
    await sendFile(
      page,
      isPaper ? pdf(`Extract ${++uploads}`) : await card(`${slug} ${++uploads}`),
      isPaper ? 'application/pdf' : 'image/jpeg',
    );
    await useFile(page);
    return;
  }
  if ((await page.locator('.taken-picture').count()) > 0) {
    await useFile(page);
    return;
  }
  await type(page, (await isStatedAlready(page)) ? {} : { ...(await askedOn(page, subject)), ...answers });
  await send(page);
}

/** Returns the answers to the fields of the open page: not every client asks for all of them. */
async function askedOn(page: Page, subject: SubjectType): Promise<Typed> {
  const fields = page.locator('#page-form [name]');
  const names = await fields.evaluateAll((all: { readonly name: string }[]) => all.map(({ name }) => name));
  const answers = Object.entries(ANSWERS[subject][slugOf(page)] ?? {});
  return Object.fromEntries(answers.filter(([name]) => names.includes(name)));
}

/** Checks whether this is the summary page, already confirmed in an earlier submission. */
async function isStatedAlready(page: Page): Promise<boolean> {
  return slugOf(page) === 'check' && (await page.locator('#page-form [name=accepted]').count()) === 0;
}

/** The page after the pictures of a document waits for their reading. */
export async function waitForReading(page: Page): Promise<void> {
  await page.locator('[data-reading-wait]').waitFor({ state: 'detached' });
}

/** Answers page by page until the page `until` is open or the verification is submitted. */
export async function walk(
  page: Page,
  subject: SubjectType,
  { until, onPage }: { until?: string; onPage?: (slug: string) => Promise<void> } = {},
): Promise<void> {
  for (;;) {
    const slug = slugOf(page);
    if (slug === until) return;
    await waitForReading(page);
    await onPage?.(slug);
    if (slug === 'state' && (await page.locator('a.main-action, #page-form').count()) === 0) return;
    await takePage(page, subject);
  }
}

import type { SubjectType } from '@countersign/domain';
import { currentFlow, screensOf } from '@countersign/domain/flows';
import { createReaders, inBothLanguages } from '@countersign/test-support/browser/both-languages';
import { change } from '@countersign/test-support/installation/database-file';
import { extent } from '@countersign/test-support/installation/extent';
import { ANSWERS, type Typed } from '@countersign/test-support/pages/page-answers';
import { blurredCard } from '@countersign/test-support/pages/pictures';
import { openSubjectForms, type SubjectForms } from '@countersign/test-support/pages/subject-forms';
import { startServer } from '@countersign/test-support/processes/server-process';
import { expect } from 'vitest';
import { fileFor } from './handed-in.ts';
import type { Looking } from './looking.ts';

/**
 * Walks from the link to the end; checks each page empty, with an error and with its saved answers.
 *
 * @returns the slugs of the visited pages
 */
export async function lookAtTheWayOf(
  { site, good, newReader }: Looking,
  type: SubjectType,
  answers: Record<string, Typed>,
): Promise<string[]> {
  const [{ id, url }, reader, blurred] = await Promise.all([
    site.create(type),
    newReader(type === 'kyc' ? 'en' : 'de'),
    blurredCard('blurred'),
  ]);
  const forms = await openSubjectForms(url, type);
  const own = `/verify/${id}`;
  const chosen = Object.fromEntries(
    Object.entries(ANSWERS[type].document ?? {}).map(([name, value]) => [
      name,
      name.endsWith('type') ? 'id_card' : value,
    ]),
  );
  const content = (picture: Blob) => ({
    answers: { ...answers, document: chosen },
    file: (slug: string) => fileFor(slug, picture),
  });

  const slugs: string[] = [];
  await reader.takeSession(url);
  await reader.look(own);
  for (let slug = await forms.next(content(good)); slug !== 'check'; ) {
    const path = `${own}/${slug}`;
    slugs.push(slug);
    await reader.look(path);
    const isUpload = ANSWERS[type][slug] === undefined && answers[slug] === undefined;
    if (WITH_ERRORS[type].includes(slug) || IS_FULL) {
      await reader.post(path, isUpload ? { file: { file: 'no picture' } } : {}, 422);
    }
    if (isUpload && (UPLOADED[type].includes(slug) || IS_FULL)) {
      const picture = slug === 'selfie' ? new Blob([blurred]) : good;
      expect((await forms.upload(slug, content(picture).file(slug))).status).toBe(303);
      await reader.look(path);
      if (slug === 'selfie') await reader.look(`${path}?again`);
    }
    slug = await forms.next(content(good));
  }
  await reader.look(own);
  await reader.look(`${own}/phone`);
  const { cookie, path: handOver } = await givenCode(forms);
  await reader.signInAs({ cookies: () => cookie });
  await reader.look(`${own}/phone`);
  await reader.look(handOver);
  expect((await forms.post(`continue/${lastPart(handOver)}`, new URLSearchParams())).status).toBe(303);
  await reader.look(handOver, 410);
  await reader.look(`${own}/phone`);
  await reader.look(`${own}/check`);
  await reader.post(`${own}/check`, {}, 422);
  await forms.next(content(good));
  await reader.look(own);
  await reader.look(`${own}/check`);
  reader.expectNothingWrong();
  return slugs;
}

/**
 * Walks a verification that a server of an earlier version began, one page after another; checks each page that is no screen of
 * version 2.
 *
 * @returns the slugs of the checked pages
 */
export async function lookAtVersion1({ site, good, newReader }: Looking, type: SubjectType): Promise<string[]> {
  const screens = screensOf(currentFlow(type)).map(({ slug }) => slug);
  const [{ id, url }, reader] = await Promise.all([site.create(type), newReader('en')]);
  change(site.server.databaseFile, 'UPDATE verifications SET flow_version = 1 WHERE id = ?', id);
  const forms = await openSubjectForms(url, type);
  const content = { file: (slug: string) => fileFor(slug, good) };
  const slugs: string[] = [];
  await reader.takeSession(url);
  for (let slug = await forms.next(content); slug !== 'check'; slug = await forms.next(content)) {
    if (screens.includes(slug)) continue;
    slugs.push(slug);
    await reader.look(`/verify/${id}/${slug}`);
  }
  reader.expectNothingWrong();
  return slugs;
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Issues a hand-over code. @returns the cookie of the browser that shows it, and its address */
async function givenCode(forms: SubjectForms): Promise<{ readonly cookie: string; readonly path: string }> {
  const answer = await forms.post('phone', new URLSearchParams());
  const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const { pathname } = new URL(forms.session().address);
  return { cookie, path: `${pathname}/continue/${cookie.split('=', 2)[1]}` };
}

/** The full run checks every page with errors and with its file. */
const IS_FULL = extent({ full: 1, short: 0 }) === 1;

/** One page per kind of field and file, checked with errors. */
const WITH_ERRORS: Readonly<Record<SubjectType, readonly string[]>> = {
  kyc: ['consent', 'document', 'details', 'selfie'],
  kyb: ['directors', 'owners', 'articles'],
};
/** One page per kind of file, checked with it: the two sides of a card differ, and the picture of the face is blurred. */
const UPLOADED: Readonly<Record<SubjectType, readonly string[]>> = {
  kyc: ['document-front', 'document-back', 'selfie'],
  kyb: ['registration-extract', 'articles'],
};

/** Checks the error pages a subject can meet. */
export async function lookAtErrorPages({ site, newReader }: Looking): Promise<void> {
  const reader = await newReader('de');
  const [mine, others, expired, withdrawn] = await Promise.all([
    site.create('kyc'),
    site.create('kyb'),
    site.create('kyc'),
    site.create('kyb'),
  ]);
  await reader.look('/');
  await reader.look('/verify/nobody.knows-it', 404);
  await reader.look('/account/nothing-here', 404);
  await reader.look(`/verify/${others.id}`, 403);
  await reader.takeSession(mine.url);
  await reader.look(`/verify/${mine.id}/selfie`, 409);
  await reader.inFull.look(`/verify/${mine.id}/nothing-here`, 404);
  await reader.inFull.look(`/verify/${mine.id}/phone`);
  await reader.post('/language', { language: 'xx' }, 400);
  await reader.inFull.look(`/verify/${mine.id}/continue/wrong`, 410);
  const forms = await openSubjectForms(withdrawn.url, 'kyb');
  const { path: handOver } = await givenCode(forms);
  const renewed = await givenCode(await openSubjectForms(mine.url, 'kyc'));
  const { databaseFile } = site.server;
  change(databaseFile, 'UPDATE verifications SET link_version = link_version + 1 WHERE id = ?', mine.id);
  await reader.look(renewed.path, 410);
  change(databaseFile, 'UPDATE verifications SET link_expires_at = 1 WHERE id = ?', expired.id);
  await reader.look(new URL(expired.url).pathname, 410);
  await reader.takeSession(withdrawn.url);
  expect((await site.withdraw(withdrawn.id)).status).toBe(200);
  await reader.look(handOver, 410);
  await reader.look(`/verify/${withdrawn.id}/consent`);
  await reader.look(`/verify/${withdrawn.id}`);
  reader.expectNothingWrong();
}

/** Checks the page for too many requests, on a server with a low rate limit. */
export async function lookAtTooManyRequests(): Promise<void> {
  const strict = await startServer({ env: { ANONYMOUS_REQUESTS_PER_MINUTE: '1' } });
  const origin = `http://localhost:${strict.port}`;
  await (await fetch(`${origin}/verify/nobody.knows-it`)).text();
  const reader = inBothLanguages(origin, await createReaders(origin).of('de'));
  await reader.look('/verify/nobody.knows-it', 429);
  reader.expectNothingWrong();
}

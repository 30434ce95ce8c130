import type { Clock } from '@countersign/domain';
import type { Page } from 'playwright-core';
import { createApiClient, dataOf, idOf } from '../api/api-client.ts';
import { givenClientOf, operate } from '../installation/operator.ts';
import type { Typed } from '../pages/page-answers.ts';
import type { ServerProcess } from '../processes/server-process.ts';
import { newVisitor, type Visitor } from './browser.ts';
import { type DrawnCamera, drawnCamera } from './drawn-camera.ts';
import type { InputMethod } from './input-method.ts';
import { leaving } from './leaving.ts';
import { recordActivity, type SubjectActivity } from './subject-activity.ts';
import { slugOf, waitForReading } from './walk.ts';

/** The link of a new subject, opened on a phone with a drawn camera. */
export interface OpenedLink extends Visitor {
  readonly id: string;
  readonly url: string;
  readonly camera: DrawnCamera;
  /** What the subject did since the link was opened. */
  readonly activity: SubjectActivity;
  status(): Promise<unknown>;
}

/** Opens the link of a new subject of a new client, which asks for no proof of address. */
export async function openOnPhone(
  server: ServerProcess & { readonly clock?: Clock },
  { placeOfBirth = false }: { readonly placeOfBirth?: boolean | undefined } = {},
): Promise<OpenedLink> {
  const { clientId, key } = await givenClientOf(server, { plan: 'enterprise' });
  const settings = {
    placeOfBirth,
    proofOfAddress: false,
    readingIsAdvice: false,
    familyNameIndex: false,
    warningsInDetails: false,
  };
  await operate(server, ({ flowSettings }) => flowSettings.change(clientId, settings));
  const api = createApiClient(server.baseUrl, key);
  const created = await api.post({ subjectType: 'kyc', subjectReference: 'subject' });
  const visitor = await newVisitor(`http://localhost:${server.port}`, { camera: 'drawn' });
  const camera = await drawnCamera(visitor.page);
  const activity = await recordActivity(visitor.page);
  const id = idOf(created);
  const url = String(dataOf(created).verificationUrl);
  await visitor.page.goto(url);
  const status = async () => dataOf(await api.get(`/verifications/${id}`)).status;
  return { ...visitor, id, url, camera, activity, status };
}

/** A subject with a camera. */
export interface CameraSubject {
  readonly page: Page;
  readonly input: InputMethod;
  /** The subject's answers, by screen and name of the field. Countries are given by name. */
  readonly answers: Readonly<Partial<Record<string, Typed>>>;
  /** Makes the camera film what the screen asks for. */
  film(slug: string): Promise<void>;
}

/** Answers screen by screen until the screen `until` is open or the verification is submitted. Changes only fields with another value. */
export async function walkWithCamera(subject: CameraSubject, until?: string): Promise<void> {
  const { page } = subject;
  for (;;) {
    const slug = slugOf(page);
    if (slug === until) return;
    await waitForReading(page);
    await fillInLate(subject);
    if ((await page.locator('[data-camera-open]').count()) > 0) await takePicture(subject, slug);
    else if ((await page.locator('#page-form').count()) > 0) await answer(subject, slug);
    else return;
  }
}

/** Fills in a reading that came after the form, as on a busy machine. */
async function fillInLate({ page, input }: CameraSubject): Promise<void> {
  const late = page.locator('[data-reading=late]');
  if ((await late.count()) === 0) return;
  await input.press(late.locator('button'));
  await late.waitFor({ state: 'detached' });
}

/** Takes the picture of the open screen, and uses it. */
async function takePicture({ page, input, film }: CameraSubject, slug: string): Promise<void> {
  const layer = page.locator('dialog.camera');
  if (!(await layer.isVisible())) {
    await film(slug);
    await input.press(page.locator('[data-camera-open]'));
  }
  await page.locator('dialog.camera[data-view=taken]').waitFor();
  // The layer goes on to the back of a card by itself.
  if (slug === 'document-front') await film('document-back');
  await input.press(layer.locator('[data-camera-part=use]'));
  await page.waitForURL((address) => !address.pathname.endsWith(`/${slug}`));
}

/** Answers the form of the open screen. */
async function answer({ page, input, answers }: CameraSubject, slug: string): Promise<void> {
  const form = page.locator('#page-form');
  for (const [name, value] of Object.entries(answers[slug] ?? {})) {
    const fields = form.locator(`[name="${name}"]:not([type=hidden])`);
    const box = fields.and(page.locator(`[type=radio][value="${value}"], [type=checkbox]`));
    if ((await box.count()) > 0) await input.choose(box);
    else if ((await fields.inputValue()) !== value) await input.type(fields, value);
  }
  await leaving(page, () => input.press(form.locator('.next button')));
}

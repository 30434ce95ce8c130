import type { Page } from 'playwright-core';
import type { Typed } from '../pages/page-answers.ts';
import type { Hands } from './hands.ts';
import { leaving } from './leaving.ts';
import { slugOf, waitForReading } from './walk.ts';

/** A subject with a camera. */
export interface CameraSubject {
  readonly page: Page;
  readonly hands: Hands;
  /** What the subject's answers are, by screen and name of the field. Countries are names. */
  readonly answers: Readonly<Partial<Record<string, Typed>>>;
  /** Puts before the camera what the screen asks for. */
  film(slug: string): Promise<void>;
}

/** Answers screen by screen until the screen `until` is open or the verification is submitted. Changes only what is not filled in rightly. */
export async function walkWithCamera(subject: CameraSubject, until?: string): Promise<void> {
  const { page } = subject;
  for (;;) {
    const slug = slugOf(page);
    if (slug === until) return;
    await waitForReading(page);
    if ((await page.locator('[data-camera-open]').count()) > 0) await takePicture(subject, slug);
    else if ((await page.locator('#page-form').count()) > 0) await answer(subject, slug);
    else return;
  }
}

/** Takes the picture of the open screen, and uses it. */
async function takePicture({ page, hands, film }: CameraSubject, slug: string): Promise<void> {
  const layer = page.locator('dialog.camera');
  if (!(await layer.isVisible())) {
    await film(slug);
    await hands.press(page.locator('[data-camera-open]'));
  }
  await page.locator('dialog.camera[data-view=taken]').waitFor();
  // The layer goes on to the back of a card by itself.
  if (slug === 'document-front') await film('document-back');
  await hands.press(layer.locator('[data-camera-part=use]'));
  await page.waitForURL((address) => !address.pathname.endsWith(`/${slug}`));
}

/** Answers the form of the open screen. */
async function answer({ page, hands, answers }: CameraSubject, slug: string): Promise<void> {
  const form = page.locator('#page-form');
  for (const [name, value] of Object.entries(answers[slug] ?? {})) {
    const fields = form.locator(`[name="${name}"]:not([type=hidden])`);
    const box = fields.and(page.locator(`[type=radio][value="${value}"], [type=checkbox]`));
    if ((await box.count()) > 0) await hands.choose(box);
    else if ((await fields.inputValue()) !== value) await hands.type(fields, value);
  }
  await leaving(page, () => hands.press(form.locator('.next button')));
}

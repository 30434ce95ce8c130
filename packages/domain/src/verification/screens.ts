import type { Page } from '../fields/pages.ts';
import { isWithin } from '../fields/paths.ts';
import { type Flow, type Screen, type ScreenPart, stepOf, stepsOf } from './flow.ts';

/** Lists the screens of a flow in their order. */
export function screensOf(flow: Flow): readonly Screen[] {
  return (
    flow.screens ??
    stepsOf(flow).flatMap((step) =>
      (stepOf(flow, step)?.pages ?? []).map(({ slug }) => ({ slug, parts: [{ step, page: slug }] })),
    )
  );
}

/** Returns the page of a part of a screen, or null. */
function pageOfPart(flow: Flow, { step, page: slug }: ScreenPart): Page | null {
  return stepOf(flow, step)?.pages.find((page) => page.slug === slug) ?? null;
}

/**
 * Checks the screens of a flow.
 * @throws Error when a page stands on no screen or on two, two screens share a slug, two parts of a screen share a field, a file does
 * not stand alone, pages do not follow the order of their step, or a screen comes before the end of an earlier step
 */
export function checkScreens(flow: Flow): void {
  const screens = screensOf(flow);
  const fault = (what: string): Error => new Error(`${what} of version ${flow.version} of the ${flow.type} flow`);
  const twice = repeated(screens.map(({ slug }) => slug));
  if (twice !== undefined) throw fault(`Two screens have the slug ${twice}`);

  const parts = screens.flatMap((screen, index) => screen.parts.map((part) => ({ ...part, screen, index })));
  for (const part of parts) {
    if (pageOfPart(flow, part) === null) throw fault(`The screen ${part.screen.slug} names no page`);
  }
  for (const screen of screens) checkParts(flow, screen, fault);

  let ended = -1;
  for (const step of stepsOf(flow)) {
    const own = parts.filter((part) => part.step === step);
    const pages = (stepOf(flow, step)?.pages ?? []).map(({ slug }) => slug);
    if (own.map(({ page }) => page).join('\n') !== pages.join('\n')) {
      throw fault(`The screens must have each page of the step ${step} once, in the order`);
    }
    if (own.some(({ index }) => index < ended)) {
      throw fault(`The screens of the step ${step} begin before an earlier step ends, in the screens`);
    }
    ended = own.at(-1)?.index ?? ended;
  }
}

/** Requires that no two parts of a screen share a field, and that a file stands alone. */
function checkParts(flow: Flow, { slug, parts }: Screen, fault: (what: string) => Error): void {
  const pages = parts.flatMap((part) => pageOfPart(flow, part) ?? []);
  if (pages.length > 1 && pages.some(({ upload }) => upload !== null)) {
    throw fault(`The file on the screen ${slug} needs a screen alone`);
  }
  const paths = pages.flatMap(({ fields }) => fields.map(({ path }) => path));
  const shared = paths.find((path, index) =>
    paths.some((other, at) => at !== index && (isWithin(path, other) || isWithin(other, path))),
  );
  if (shared !== undefined) throw fault(`Two parts of the screen ${slug} share the field ${shared}`);
}

/** Returns a text that occurs twice, or undefined. */
function repeated(texts: readonly string[]): string | undefined {
  return texts.find((text, index) => texts.indexOf(text) !== index);
}

/** Returns the slug of the screen on which a page of a step stands, or null. */
export function screenOfPage(flow: Flow, page: ScreenPart): string | null {
  const stands = (part: ScreenPart) => part.step === page.step && part.page === page.page;
  return screensOf(flow).find(({ parts }) => parts.some(stands))?.slug ?? null;
}

import { CountersignError, type Verification } from '@countersign/domain';
import {
  askedScreens,
  type FlowAsks,
  isPageAnswered,
  isStepCompleted,
  minutesFor,
  openScreensOf,
  openStepsOf,
  type Place,
  type PlannedPart,
  type PlannedScreen,
  plannedScreens,
  type StepKey,
  screensOf,
  stepsOf,
} from '@countersign/domain/flows';

/** The page of a step on a screen that takes one file, with the slug of the screen. */
export interface UploadScreen extends PlannedPart {
  readonly upload: Place;
}

/** Returns the page of a screen that takes a file; null of any other screen. */
export function uploadOf({ slug, parts: [part] }: PlannedScreen): UploadScreen | null {
  return part === undefined || part.upload === null ? null : { ...part, slug, upload: part.upload };
}

/** What the pages of a verification show: its current state, and what the client asks for now. */
export interface Shown {
  readonly verification: Verification;
  readonly asks: FlowAsks;
}

/** Slug of the page that lists all answers. */
export const CHECK = 'check';
/** Slug of the page with the QR code. */
export const PHONE = 'phone';
/** Slug of the page that requests a copy of the subject's data. */
export const DATA_COPY = 'data-copy';

/** Returns the path of a page of a verification; without a slug, the path of its status page. */
export function verifyPath({ id }: Pick<Verification, 'id'>, slug?: string): string {
  return slug === undefined ? `/verify/${id}` : `/verify/${id}/${slug}`;
}

/** Whether the flow has a screen with this slug. */
export function hasScreen({ flow }: Verification, slug: string): boolean {
  return screensOf(flow).some((screen) => screen.slug === slug);
}

/** Returns the screen with this slug if it may be answered now, or null. */
export function openScreen({ verification, asks }: Shown, slug: string): PlannedScreen | null {
  return openScreensOf(verification, asks).find((screen) => screen.slug === slug) ?? null;
}

/** Lists the pages of a step that the answers so far call for, each with the slug of its screen. */
export function pagesNeeded(
  { verification, asks }: Shown,
  step: StepKey,
): readonly { readonly screen: string; readonly part: PlannedPart }[] {
  return plannedScreens(verification, asks).flatMap(({ slug, parts }) =>
    parts.filter((part) => part.step === step).map((part) => ({ screen: slug, part })),
  );
}

/** Lists the parts of a screen that the subject answers. The others are read-only. */
export function askedParts({ parts }: PlannedScreen): readonly PlannedPart[] {
  return parts.filter(({ isAsked }) => isAsked);
}

/** Whether the subject may still answer something. */
export function isAnswerable({ status }: Verification): boolean {
  return status === 'pending' || status === 'action_needed';
}

/** @throws CountersignError `ILLEGAL_TRANSITION` */
export function requireAnswerable(verification: Verification): void {
  if (isAnswerable(verification)) return;
  throw new CountersignError('ILLEGAL_TRANSITION', undefined, { data: { status: verification.status } });
}

/** Whether the subject may answer the step now. */
export function isOpen(verification: Verification, step: StepKey): boolean {
  return openStepsOf(verification).includes(step);
}

/** Whether a step is completed and has no draft. */
export function isDone(verification: Verification, step: StepKey): boolean {
  return isStepCompleted(verification, step) && verification.drafts[step] === undefined;
}

/** Whether the subject has answered nothing yet. */
export function isUntouched({ steps, drafts }: Verification): boolean {
  return Object.keys(steps).length + Object.keys(drafts).length === 0;
}

/** Lists the steps that the subject must answer before submitting. The page of all answers completes the attestation. */
export function stepsLeft(verification: Verification): readonly StepKey[] {
  return stepsOf(verification.flow).filter((step) => step !== 'attestation' && !isDone(verification, step));
}

/** Returns the slug of the first unanswered screen, or of the page of all answers. */
export function resumeSlug({ verification, asks }: Shown): string {
  const [step] = stepsLeft(verification);
  if (step === undefined) return CHECK;
  const screens = askedScreens(verification, asks).filter(({ parts }) =>
    parts.some((part) => part.step === step && part.isAsked),
  );
  const last = screens.findLastIndex(({ parts }) =>
    parts.some((part) => part.step === step && isPageAnswered(verification, step, part)),
  );
  return (screens[last + 1] ?? screens.at(-1))?.slug ?? CHECK;
}

/** Returns the slug of the screen before among all open ones, or undefined on the first. */
export function slugBefore({ verification, asks }: Shown, slug: string): string | undefined {
  const screens = answered(openScreensOf(verification, asks));
  const index = screens.findIndex((screen) => screen.slug === slug);
  return (index === -1 ? screens.at(-1) : screens[index - 1])?.slug;
}

/** Returns the slug of the next screen among all open ones, for a subject who went back and continues. */
export function slugAfter({ verification, asks }: Shown, slug: string): string {
  const screens = openScreensOf(verification, asks);
  return screens[screens.findIndex((screen) => screen.slug === slug) + 1]?.slug ?? CHECK;
}

/** Leaves out the page of all answers, which has the attestation. */
function answered(screens: readonly PlannedScreen[]): readonly PlannedScreen[] {
  return screens.filter(({ parts }) => parts.some(({ step }) => step !== 'attestation'));
}

/** The position of a screen among all that the subject has to answer. */
export interface Progress {
  /** From 1. */
  readonly number: number;
  readonly total: number;
  /** Estimate for this screen and those that are still to answer; null on the last one. */
  readonly minutesLeft: number | null;
}

/**
 * Counts the screens that the answers so far call for; after a request for action, those of what is asked. The page of
 * all answers is the last.
 */
export function progressOf({ verification, asks }: Shown, slug: string): Progress {
  const screens = answered(askedScreens(verification, asks));
  const found = screens.findIndex((screen) => screen.slug === slug);
  const at = found === -1 ? screens.length : found;
  const left = screens.filter(
    (screen, index) => index === at || (index > at && !isAnswered(verification, screen)),
  );
  const check = pagesNeeded({ verification, asks }, 'attestation').map(({ part }) => part);
  return {
    number: at + 1,
    total: screens.length + 1,
    minutesLeft: at === screens.length ? null : minutesFor([...left.flatMap(askedParts), ...check]),
  };
}

/** Whether each part of a screen that is asked has an answer. */
function isAnswered(verification: Verification, screen: PlannedScreen): boolean {
  return askedParts(screen).every(
    (part) => isDone(verification, part.step) || isPageAnswered(verification, part.step, part),
  );
}

/** Returns the slug of the one screen that a reviewer asks for, if it is not answered yet; otherwise null. */
export function onlyAskedScreen({ verification, asks }: Shown): string | null {
  if (verification.status !== 'action_needed') return null;
  const [screen, ...others] = askedScreens(verification, asks);
  if (screen === undefined || others.length > 0 || isAnswered(verification, screen)) return null;
  return openScreen({ verification, asks }, screen.slug) === null ? null : screen.slug;
}

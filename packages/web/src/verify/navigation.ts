import { CountersignError, type Verification } from '@countersign/domain';
import {
  answersSoFar,
  type Flow,
  isDrafted,
  isStepCompleted,
  minutesFor,
  openStepsOf,
  type Page,
  type Place,
  pagesFor,
  type StepKey,
  stepOf,
  stepsOf,
} from '@countersign/domain/flows';

/** A page of the flow and the step it belongs to. */
export interface FlowPage extends Page {
  readonly step: StepKey;
}

/** A page that takes one file. */
export interface UploadPage extends FlowPage {
  readonly upload: Place;
}

/** Whether the page takes a file. */
export function isUploadPage(page: FlowPage): page is UploadPage {
  return page.upload !== null;
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

/** Returns the page with this slug, or null if the flow has none. */
export function findPage(flow: Flow, slug: string): FlowPage | null {
  const pages = stepsOf(flow).flatMap((step) =>
    (stepOf(flow, step)?.pages ?? []).map((page): FlowPage => ({ ...page, step })),
  );
  return pages.find((page) => page.slug === slug) ?? null;
}

/** Lists the pages of a step that the answers so far call for. */
export function pagesNeeded(verification: Verification, step: StepKey): readonly FlowPage[] {
  const definition = stepOf(verification.flow, step);
  if (definition === null) return [];
  return pagesFor(definition, answersSoFar(verification, step)).map((page) => ({ ...page, step }));
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

/** Lists the steps that the subject must answer before submitting. The page of all answers completes the attestation. */
export function stepsLeft(verification: Verification): readonly StepKey[] {
  return stepsOf(verification.flow).filter((step) => step !== 'attestation' && !isDone(verification, step));
}

/** Returns the slug of the first unanswered page, or of the page of all answers. */
export function resumeSlug(verification: Verification): string {
  const [step] = stepsLeft(verification);
  if (step === undefined) return CHECK;
  const pages = pagesNeeded(verification, step);
  const last = pages.findLastIndex((page) => isDrafted(page, verification.drafts[step]));
  return (pages[last + 1] ?? pages.at(-1))?.slug ?? CHECK;
}

/** Returns the slug of the previous page among all open ones, or undefined on the first. */
export function slugBefore(verification: Verification, slug: string): string | undefined {
  const pages = openPages(verification);
  const index = pages.findIndex((page) => page.slug === slug);
  return (index === -1 ? pages.at(-1) : pages[index - 1])?.slug;
}

/** Returns the slug of the next page among all open ones, for a subject who went back and continues. */
export function slugAfter(verification: Verification, slug: string): string {
  const pages = openPages(verification);
  return pages[pages.findIndex((page) => page.slug === slug) + 1]?.slug ?? CHECK;
}

/** Where a page stands among all that the subject has to answer. */
export interface Progress {
  /** From 1. */
  readonly number: number;
  readonly total: number;
  /** Estimate for this page and those that are still to answer; null on the last page. */
  readonly minutesLeft: number | null;
}

/**
 * Counts the pages that the answers so far call for; after a request for action, those of the requested steps. The page of
 * all answers is the last.
 */
export function progressOf(verification: Verification, slug: string): Progress {
  const asked =
    verification.status === 'action_needed' ? verification.request.items.map(({ step }) => step) : null;
  const pages = stepsOf(verification.flow)
    .filter((step) => step !== 'attestation' && (asked === null || asked.includes(step)))
    .flatMap((step) => pagesNeeded(verification, step));
  const found = pages.findIndex((page) => page.slug === slug);
  const at = found === -1 ? pages.length : found;
  const left = pages.filter((page, index) => index === at || (index > at && !isAnswered(verification, page)));
  const check = pagesNeeded(verification, 'attestation');
  return {
    number: at + 1,
    total: pages.length + 1,
    minutesLeft: at === pages.length ? null : minutesFor([...left, ...check]),
  };
}

function isAnswered(verification: Verification, page: FlowPage): boolean {
  return isDone(verification, page.step) || isDrafted(page, verification.drafts[page.step]);
}

function openPages(verification: Verification): readonly FlowPage[] {
  return openStepsOf(verification).flatMap((step) => pagesNeeded(verification, step));
}

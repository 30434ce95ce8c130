import type { StepKey, SubjectType } from '@countersign/domain';
import { pagesOfStep } from './pages/flow-pages.ts';
import type { StepPage } from './step-page.ts';
import { uploadPlace } from './upload/places.ts';

/** The places in a step's answers that a page asks for: `firstName`, `document.frontFileId`. */
export function namesOf(type: SubjectType, page: StepPage): readonly string[] {
  if (page.kind === 'upload') {
    const place = uploadPlace(type, page.step, page.evidence);
    return place === null ? [] : [place.field];
  }
  const names = page.fields.map(({ name }) => name);
  // Kept with the consent, but not asked for.
  return page.intro === 'consent' ? [...names, 'version', 'locale'] : names;
}

/** The page that asks for a place, or for something within it; null where none does. */
export function pageOfPath(type: SubjectType, step: StepKey, path: string): StepPage | null {
  const within = (name: string) => path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`);
  return pagesOfStep(type, step).find((page) => namesOf(type, page).some(within)) ?? null;
}

import { DOCS_PAGES } from '@countersign/test-support/pages/docs-pages';
import type { Looking } from './looking.ts';

/** Checks the documentation for developers. It is in English for every reader. */
export async function lookAtDocs({ newReader }: Looking): Promise<void> {
  const reader = await newReader('en');
  for (const page of DOCS_PAGES) await reader.look(page, 200, 'en');
  reader.expectNothingWrong();
}

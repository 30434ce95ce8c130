import { APPEARANCES_PATH, type ShownAppearance } from '@countersign/domain/clients';
import type { Page } from './page.ts';

/** Name of the stylesheet of a preview without a colour of the client. */
export const WITHOUT_COLOUR = 'standard';

/** Returns the path of the stylesheet that gives a page the client's colour. */
export function colourPath(colour: string): string {
  return `${APPEARANCES_PATH}/pages/${colour.slice(1)}.css`;
}

/** Returns the path of the stylesheet of a preview; null: the colours that pages have without one of the client. */
export function previewColourPath(colour: string | null): string {
  return `${APPEARANCES_PATH}/previews/${colour?.slice(1) ?? WITHOUT_COLOUR}.css`;
}

/** Returns the page as the client's subjects see it. The appearance is read once, when the page is drawn. */
export function withAppearance(page: Page, read: () => Promise<ShownAppearance | null>): Page {
  let appearance: Promise<ShownAppearance | null> | undefined;
  return {
    ...page,
    appearance() {
      appearance ??= read();
      return appearance;
    },
  };
}

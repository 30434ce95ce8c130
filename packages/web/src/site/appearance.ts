import { APPEARANCES_PATH, type ShownAppearance } from '@countersign/domain/clients';
import type { Page } from './page.ts';

/** What a stylesheet colours: a whole page, or the preview on a page. */
export type Coloured = 'pages' | 'previews';

/** Returns the path of the stylesheet of a colour. */
export function colourPath(colour: string, coloured: Coloured = 'pages'): string {
  return `${APPEARANCES_PATH}/${coloured}/${colour.slice(1)}.css`;
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

import type { ShownFace } from '@countersign/domain/clients';
import type { Page } from './page.ts';

/** The path of stylesheets and logos of clients. */
export const FACES_PATH = '/faces';

/** What a stylesheet colours: a whole page, or the preview on a page. */
export type Coloured = 'pages' | 'previews';

/** Returns the path of the stylesheet of a colour. */
export function colourPath(colour: string, coloured: Coloured = 'pages'): string {
  return `${FACES_PATH}/${coloured}/${colour.slice(1)}.css`;
}

/** Returns the path of a client's logo; null without one. Another logo has another path. */
export function logoPath(clientId: string, logo: ShownFace['logo']): string | null {
  return logo && `${FACES_PATH}/logos/${encodeURIComponent(clientId)}/${logo.id}.png`;
}

/** Returns the page as the client's subjects see it. The face is read once, when the page is drawn. */
export function withFace(page: Page, read: () => Promise<ShownFace | null>): Page {
  let face: Promise<ShownFace | null> | undefined;
  return {
    ...page,
    face() {
      face ??= read();
      return face;
    },
  };
}

import type { FieldTexts } from '../forms/draw-field.tsx';
import { Drawing, type DrawingName } from '../parts/drawing.tsx';
import type { Page } from '../site/page.ts';

/** The drawings of choices: the documents. */
const DRAWINGS: ReadonlyMap<string | number, DrawingName> = new Map([
  ['passport', 'passport'],
  ['id_card', 'front'],
  ['driving_licence', 'licence'],
  ['residence_permit', 'permit'],
]);

/** Returns texts whose choices have drawings, where there are some. */
export function withDrawings(page: Page, texts: FieldTexts): FieldTexts {
  return {
    ...texts,
    choiceDrawing(_path, value) {
      const name = DRAWINGS.get(value);
      return name === undefined ? undefined : <Drawing page={page} name={name} />;
    },
  };
}

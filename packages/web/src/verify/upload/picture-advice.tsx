import type { EvidenceKind } from '@countersign/domain/evidence';
import type { FC } from 'hono/jsx';
import { Drawing, type DrawingName } from '../../parts/drawing.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Page } from '../../site/page.ts';

/** Drawings of pictures that cannot be used. */
const BAD = {
  document: ['cut', 'reflection', 'blurred'],
  face: ['shaded', 'far', 'covered'],
} as const satisfies Record<string, readonly DrawingName[]>;

/** Shows a good picture beside bad ones, each with a word. */
export const PictureAdvice: FC<{ page: Page; evidence: EvidenceKind; drawing: DrawingName }> = (props) => {
  const { page, evidence, drawing } = props;
  const bad = BAD[evidence === 'selfie' ? 'face' : 'document'];
  return (
    <ul class="picture-advice">
      <li class="is-good">
        <Drawing page={page} name={drawing} />
        <span>
          <Icon page={page} name="check" />
          {page.t('capture:advice.good')}
        </span>
      </li>
      {bad.map((name) => (
        <li>
          <Drawing page={page} name={name} />
          <span>
            <Icon page={page} name="x" />
            {page.t(`capture:advice.${name}`)}
          </span>
        </li>
      ))}
    </ul>
  );
};

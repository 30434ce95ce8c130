import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

/** The line drawings of assets/drawings.svg: what to photograph, bad pictures, that all is done, and that there is nothing yet. */
export type DrawingName =
  | 'front'
  | 'back'
  | 'passport'
  | 'licence'
  | 'permit'
  | 'selfie'
  | 'proof'
  | 'cut'
  | 'reflection'
  | 'blurred'
  | 'shaded'
  | 'far'
  | 'covered'
  | 'done'
  | 'nothing';

/** A drawing beside words that say the same: screen readers skip it. */
export const Drawing: FC<{ page: Pick<Page, 'asset'>; name: DrawingName }> = ({ page, name }) => (
  <svg
    class="drawing"
    width="120"
    height="80"
    viewBox="0 0 120 80"
    fill="none"
    stroke="currentcolor"
    aria-hidden="true"
    focusable="false"
  >
    <use href={`${page.asset('drawings.svg')}#${name}`} />
  </svg>
);

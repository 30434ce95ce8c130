import { html } from 'hono/html';
import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

/** The icons of assets/icons.svg, by their names at Lucide (https://lucide.dev). */
export type IconName =
  | 'activity'
  | 'ban'
  | 'building-2'
  | 'camera'
  | 'chart-column'
  | 'check'
  | 'chevron-down'
  | 'chevron-left'
  | 'circle'
  | 'clock'
  | 'download'
  | 'ellipsis'
  | 'eye'
  | 'file-text'
  | 'globe'
  | 'house'
  | 'id-card'
  | 'inbox'
  | 'key'
  | 'keyboard'
  | 'list'
  | 'lock'
  | 'log-out'
  | 'mail'
  | 'maximize'
  | 'menu'
  | 'plus'
  | 'rotate-cw'
  | 'scroll-text'
  | 'search'
  | 'settings'
  | 'shield-check'
  | 'sun'
  | 'trash-2'
  | 'triangle-alert'
  | 'undo-2'
  | 'upload'
  | 'user'
  | 'users'
  | 'webhook'
  | 'x'
  | 'zoom-in'
  | 'zoom-out';

/**
 * An icon beside a word, which says the same: screen readers skip it.
 * @example
 * <Icon page={page} name="key" />
 */
export const Icon: FC<{ page: Pick<Page, 'asset'>; name: IconName }> = ({ page, name }) => {
  const address = `${page.asset('icons.svg')}#${name}`;
  const drawn = DRAWN.get(address) ?? svgOf(address);
  DRAWN.set(address, drawn);
  return drawn;
};

type Drawn = ReturnType<typeof html>;

/** Each icon by its address: a page has dozens of them, and they are always the same. */
const DRAWN = new Map<string, Drawn>();

function svgOf(address: string): Drawn {
  return html`<svg class="icon" width="18" height="18" fill="none" stroke="currentcolor" aria-hidden="true" focusable="false"><use href="${address}"></use></svg>`;
}

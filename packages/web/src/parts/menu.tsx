import type { FC, PropsWithChildren } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { Icon } from './icon.tsx';

/**
 * A menu behind "⋯" for rare actions. It opens without a script; browsers close it when another opens.
 * @param props.label names the menu: `Actions: Production key`
 */
export const Menu: FC<PropsWithChildren<{ page: Page; label: string }>> = ({ page, label, children }) => (
  <details class="menu" name="menu">
    <summary aria-label={label}>
      <Icon page={page} name="ellipsis" />
    </summary>
    <div class="menu-items">{children}</div>
  </details>
);

/**
 * Facts of a row that few readers need. They open over the page, without a script.
 * @param props.label names them: `Details: entry 17`
 */
export const MenuPanel: FC<PropsWithChildren<{ page: Page; label: string }>> = ({ page, label, children }) => (
  <details class="menu" name="menu">
    <summary aria-label={label}>
      <Icon page={page} name="chevron-down" />
    </summary>
    <div class="menu-panel">{children}</div>
  </details>
);

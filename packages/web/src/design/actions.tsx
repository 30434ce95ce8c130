import type { FC } from 'hono/jsx';
import { Badge, STATES, StateBadge, type StateName } from '../parts/badge.tsx';
import { CopyField } from '../parts/copy.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { Section } from '../parts/page-parts.tsx';
import type { Page } from '../site/page.ts';
import { HARD } from './values.ts';

const KINDS = ['primary', 'secondary', 'quiet', 'danger'] as const;

/** Buttons of every kind, as buttons, as links, with an icon, and disabled. */
export const Buttons: FC<{ page: Page }> = ({ page }) => (
  <Section id="buttons" title="Buttons">
    {KINDS.map((kind) => {
      const name = kind === 'primary' ? undefined : kind;
      return (
        <div class="buttons">
          <button type="button" class={name}>
            {kind}
          </button>
          <a href="#buttons" class={name === undefined ? 'button' : `button ${name}`}>
            {`A link as a ${kind} button`}
          </a>
          <button type="button" class={name}>
            <Icon page={page} name="plus" />
            {kind} with an icon
          </button>
          <button type="button" class={name} disabled>
            {kind}, disabled
          </button>
        </div>
      );
    })}
    <div class="buttons">
      <button type="button">{HARD.longWord}</button>
    </div>
  </Section>
);

/** The badge of every state, and one that names no state. */
export const Badges: FC<{ page: Page }> = ({ page }) => (
  <Section id="badges" title="Badges">
    <ul class="buttons">
      {(Object.keys(STATES) as StateName[]).map((state) => (
        <li>
          <StateBadge of={state} page={page} /> <small class="quiet">{state}</small>
        </li>
      ))}
      <li>
        <Badge tone="info" page={page}>
          Without an icon
        </Badge>
      </li>
    </ul>
  </Section>
);

/** A menu of what is rare, with each kind of item. */
export const Menus: FC<{ page: Page }> = ({ page }) => (
  <Section id="menus" title="Menus">
    <div class="buttons">
      <Menu page={page} label="Actions: a key">
        <a href="#menus">Rename</a>
        <a href="#menus" class="danger">
          Revoke
        </a>
      </Menu>
    </div>
  </Section>
);

/** Fields to copy from, the second with more than fits. */
export const Copying: FC<{ page: Page }> = ({ page }) => (
  <Section id="copying" title="Fields to copy">
    <CopyField page={page} id="copy-short" label="Key" value="csk_7K3F92QD" />
    <CopyField page={page} id="copy-long" label={HARD.longWord} value={HARD.reference} />
  </Section>
);

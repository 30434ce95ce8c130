import type { FC } from 'hono/jsx';
import { Badge, STATES, StateBadge, type StateName } from '../parts/badge.tsx';
import { Card } from '../parts/blocks.tsx';
import { CopyButton, CopyField, CopyId } from '../parts/copy.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu, MenuPanel } from '../parts/menu.tsx';
import { BackLink, ButtonTo, CancelButton, LinkTo, Section } from '../parts/page-parts.tsx';
import { isolated } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { QrCode } from '../site/qr-code.tsx';
import { SomeFacts } from './blocks.tsx';
import { DESIGN_PATH } from './paths.ts';
import { HARD, ID } from './values.ts';

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

/** A menu of what is rare, with each kind of item, and facts behind a button. Both open from the end of their line. */
export const Menus: FC<{ page: Page }> = ({ page }) => (
  <Card
    id="menus"
    title="Menus"
    more={
      <div class="buttons">
        <Menu page={page} label="Actions: a key">
          <a href="#menus-title">Rename</a>
          <a href="#menus-title" class="danger">
            Revoke
          </a>
        </Menu>
        <MenuPanel page={page} label="Details: a row">
          <SomeFacts page={page} />
        </MenuPanel>
      </div>
    }
  />
);

/** Links that lead to a page: back, on, or out of a form. */
export const Links: FC<{ page: Page }> = ({ page }) => (
  <Section id="links" title="Links">
    <BackLink path={DESIGN_PATH} label="site:back" page={page} />
    <LinkTo path={DESIGN_PATH} label="site:home.link" page={page} />
    <div class="buttons">
      <ButtonTo path={DESIGN_PATH} label="site:continue" page={page} />
      <ButtonTo path={DESIGN_PATH} label="dashboard:verifications.withdraw.link" kind="danger" page={page} />
      <CancelButton path={DESIGN_PATH} page={page} />
    </div>
  </Section>
);

/** Fields to copy from, the second with more than fits. */
export const Copying: FC<{ page: Page }> = ({ page }) => (
  <Section id="copying" title="Fields to copy">
    <CopyField page={page} id="copy-short" label="Key" value="csk_7K3F92QD" />
    <CopyField page={page} id="copy-long" label={HARD.longWord} value={HARD.reference} />
    <CopyField page={page} id="copy-right" label={isolated(HARD.rightToLeft)} value={HARD.rightToLeft} />
    <p>
      <CopyId page={page} id="copy-id" value={ID} what="Id" />
    </p>
    <p>
      <CopyId page={page} id="copy-long-id" value={HARD.reference} what={HARD.longWord} />
    </p>
    <p class="copy-line">
      <code id="copied-alone">••••••••</code>
      <CopyButton page={page} of="copied-alone" what="A value that is not shown" />
    </p>
    <QrCode text={`https://example.org/${HARD.reference}`} alt="A long address" />
  </Section>
);

import type { FC } from 'hono/jsx';
import { VerificationBadge } from '../parts/badge.tsx';
import { Card, Empty, Notice, Timeline } from '../parts/blocks.tsx';
import { Drawing, type DrawingName } from '../parts/drawing.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Age, Ago, Facts, Moment, Section } from '../parts/page-parts.tsx';
import { isolated } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { ShortReference } from '../site/short-reference.tsx';
import { HARD, ID, minutesBefore, NOW } from './values.ts';

/** Facts, with values that are long, absent, or written from right to left. */
export const SomeFacts: FC<{ page: Page }> = ({ page }) => (
  <Facts
    items={[
      ['Client', <bdi>{HARD.clientName}</bdi>],
      ['Reference', <bdi class="as-typed">{HARD.reference}</bdi>],
      ['Name', <bdi>{HARD.rightToLeft}</bdi>],
      ['E-mail', <bdi>{HARD.email}</bdi>],
      ['Created', <Moment at={minutesBefore(12)} page={page} />],
      ['Waiting', <Age since={minutesBefore(9_000)} now={NOW} page={page} />],
      ['Answered', <Ago at={minutesBefore(12)} now={NOW} page={page} />],
      ['Short reference', <ShortReference id={ID} />],
      ['State', <VerificationBadge of={{ status: 'rejected', endedBy: 'withdrawn' }} page={page} />],
      null,
    ]}
  />
);

/** Cards, alone and beside each other. */
export const Cards: FC<{ page: Page }> = ({ page }) => (
  <Section id="cards" title="Cards and facts">
    <Card id="card-facts" title="A card with facts" more={<a href="#cards">Change</a>}>
      <SomeFacts page={page} />
    </Card>
    <div class="cards">
      <Card id="card-long" title={HARD.longWord}>
        <p class="quiet">A title of one long word.</p>
      </Card>
      <Card id="card-right" title={isolated(HARD.rightToLeft)}>
        <p>
          <bdi>{HARD.rightToLeft}</bdi>
        </p>
      </Card>
    </div>
  </Section>
);

/** What a page says about itself. */
export const Notices: FC = () => (
  <Section id="notices" title="Notices">
    <Notice>
      <p>What holds.</p>
    </Notice>
    <Notice tone="warn" title="What needs care">
      <p>
        It says why: <bdi>{HARD.longWord}</bdi>.
      </p>
    </Notice>
    <Notice tone="bad" title="What stops">
      <ul>
        <li>One reason</li>
        <li>
          <bdi>{HARD.rightToLeft}</bdi>
        </li>
      </ul>
    </Notice>
    <Notice tone="good" role="status">
      What was just done.
    </Notice>
  </Section>
);

/** A history with long texts. */
export const Histories: FC<{ page: Page }> = ({ page }) => (
  <Section id="timeline" title="Timeline">
    <Timeline
      page={page}
      items={[
        { icon: 'check', title: 'Approved', text: <Moment at={minutesBefore(2)} page={page} /> },
        { icon: 'user', title: <bdi>{HARD.rightToLeft}</bdi>, text: <bdi>{HARD.email}</bdi> },
        { icon: 'mail', title: <bdi class="as-typed">{HARD.reference}</bdi> },
      ]}
    />
  </Section>
);

/** What stands where there is nothing yet. */
export const Empties: FC<{ page: Page }> = ({ page }) => (
  <Section id="empty" title="Empty states">
    <Empty page={page} drawing="nothing" title="No keys yet" text="A key lets your server call the API.">
      <a href="#empty" class="button">
        Create a key
      </a>
    </Empty>
    <Empty page={page} drawing="done" title="Nothing to review" />
  </Section>
);

const DRAWINGS: Readonly<Record<DrawingName, string>> = {
  front: 'Front of a card',
  back: 'Back of a card',
  passport: 'Page of a passport',
  licence: 'A driving licence',
  permit: 'A residence permit',
  selfie: 'Selfie',
  proof: 'Proof of address',
  cut: 'Cut off',
  reflection: 'Glare',
  blurred: 'Blurred',
  shaded: 'In the shade',
  far: 'Too far',
  covered: 'Covered',
  done: 'Done',
  nothing: 'Nothing yet',
};

/** All drawings and icons. @param props.icons their names, as the sprite has them */
export const Pictures: FC<{ page: Page; icons: readonly string[] }> = ({ page, icons }) => (
  <Section id="pictures" title="Drawings and icons">
    <ul class="buttons">
      {Object.entries(DRAWINGS).map(([name, words]) => (
        <li>
          <Drawing page={page} name={name as DrawingName} /> {words}
        </li>
      ))}
    </ul>
    <ul class="buttons">
      {icons.map((name) => (
        <li>
          <Icon page={page} name={name as IconName} /> {name}
        </li>
      ))}
    </ul>
  </Section>
);

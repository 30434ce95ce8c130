import type { Child, FC, JSX, PropsWithChildren } from 'hono/jsx';
import type { Page } from '../site/page.ts';
import { Drawing, type DrawingName } from './drawing.tsx';
import { Icon, type IconName } from './icon.tsx';

/** A card with a title and, at the end of its line, a link to more. */
export const Card: FC<PropsWithChildren<{ id: string; title: string; more?: Child; class?: string }>> = (
  props,
) => (
  <section
    aria-labelledby={`${props.id}-title`}
    class={props.class === undefined ? 'card' : `card ${props.class}`}
  >
    <div class="card-head">
      <h2 id={`${props.id}-title`}>{props.title}</h2>
      {props.more}
    </div>
    {props.children}
  </section>
);

interface NoticeProps extends Omit<JSX.IntrinsicElements['div'], 'title'> {
  readonly tone?: 'info' | 'good' | 'warn' | 'bad';
  readonly title?: string;
}

/**
 * A message in the page: information (`info`), a result (`good`), a warning (`warn`) or a problem (`bad`). Its element gets all
 * further attributes.
 * @param props.title a sentence in bold above the text
 */
export const Notice: FC<PropsWithChildren<NoticeProps>> = (props) => {
  const { tone = 'info', title, children, ...attributes } = props;
  return (
    <div class={`notice ${tone}`} {...attributes}>
      {title === undefined ? null : (
        <p>
          <strong>{title}</strong>
        </p>
      )}
      {children}
    </div>
  );
};

/** Shown where there is nothing yet: a drawing, a sentence, and the button for the first step. */
export const Empty: FC<PropsWithChildren<{ page: Page; drawing: DrawingName; title: string; text?: string }>> = ({
  page,
  drawing,
  title,
  text,
  children,
}) => (
  <div class="card empty">
    <Drawing page={page} name={drawing} />
    <p>
      <strong>{title}</strong>
    </p>
    {text === undefined ? null : <p class="quiet">{text}</p>}
    {children}
  </div>
);

/** The whole content of a final page: a drawing, what happened, and where to go next. */
export const DeadEnd: FC<PropsWithChildren<{ page: Page; title: string; text: string }>> = (props) => {
  const { page, title, text, children } = props;
  return (
    <div class={page.area === undefined ? 'empty' : 'card empty'}>
      <Drawing page={page} name="nothing" />
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </div>
  );
};

/** A picture with a name, a description and links. */
export interface Tile {
  readonly picture: Child;
  readonly title: string;
  readonly text: Child;
  readonly links?: Child;
}

/** Shows pictures side by side. */
export const Tiles: FC<{ tiles: readonly Tile[] }> = ({ tiles }) => (
  <ul class="tiles">
    {tiles.map(({ picture, title, text, links }) => (
      <li>
        {picture}
        <strong>{title}</strong>
        <small class="quiet">{text}</small>
        {links}
      </li>
    ))}
  </ul>
);

/**
 * Shows the content of a page, and facts about its subject beside it. On narrow pages the facts come first.
 * @param props.first the part of the content that comes before the facts on narrow pages, too
 */
export const TwoColumns: FC<PropsWithChildren<{ aside: Child; first?: Child }>> = ({ aside, first, children }) => (
  <div class="two-columns">
    {first === undefined ? null : <div class="first">{first}</div>}
    <aside>{aside}</aside>
    <div>{children}</div>
  </div>
);

/** One event of a history. */
export interface TimelineItem {
  readonly icon: IconName;
  readonly title: Child;
  readonly text?: Child;
}

/** A history, in the order given. */
export const Timeline: FC<{ page: Page; items: readonly TimelineItem[] }> = ({ page, items }) => (
  <ol class="timeline">
    {items.map(({ icon, title, text }) => (
      <li>
        <Icon page={page} name={icon} />
        <div>
          {title}
          {text === undefined ? null : <div class="quiet">{text}</div>}
        </div>
      </li>
    ))}
  </ol>
);

import type { FC } from 'hono/jsx';
import type { PageParts } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import { COPY_SCRIPT } from './copy-field.tsx';

/** What a page is that shows something once: no cache keeps it, and a reload does not make another one. */
export function shownOnceParts(title: string): PageParts {
  return { title, scripts: [COPY_SCRIPT, 'shown-once.js'], headers: { 'Cache-Control': 'no-store' } };
}

/** Says that it is shown once. @param props.instead the path of the page that a reload leads to */
export const ShownOnce: FC<{ page: Page; title: string; text: string; instead: string }> = (props) => {
  const { page, title, text, instead } = props;
  return (
    <div class="notice warn" data-shown-once={page.href(instead)}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{text}</p>
    </div>
  );
};

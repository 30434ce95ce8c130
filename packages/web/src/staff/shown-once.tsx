import type { FC } from 'hono/jsx';
import type { PageParts } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import { COPY_SCRIPT } from './copy-field.tsx';

/** Parts of a page that shows a value once: no cache stores it, and a reload does not repeat the form. */
export function shownOnceParts(title: string): PageParts {
  return { title, scripts: [COPY_SCRIPT, 'shown-once.js'], headers: { 'Cache-Control': 'no-store' } };
}

/** Says that the value is shown once. @param props.instead path that a reload leads to */
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

import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

/** Leads to a form about one thing of a list. Its name says which, and begins with what is to be seen (WCAG 2.5.3). */
export const ActLink: FC<{ page: Page; path: string; text: string; about: string }> = (props) => {
  const { page, path, text, about } = props;
  return (
    <a href={page.href(path)} aria-label={`${text}: ${about}`}>
      {text}
    </a>
  );
};

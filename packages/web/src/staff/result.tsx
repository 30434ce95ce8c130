import type { FC } from 'hono/jsx';

/** Shows the result of a form. It takes the focus, so that screen readers announce it first. */
export const Result: FC<{ text: string }> = ({ text }) => (
  <div class="result" role="status" tabindex={-1} autofocus>
    <p>{text}</p>
  </div>
);

import type { FC } from 'hono/jsx';

/** What came of the form that was sent. It takes the focus, so that it is read out first. */
export const Result: FC<{ text: string }> = ({ text }) => (
  <div class="result" role="status" tabindex={-1} autofocus>
    <p>{text}</p>
  </div>
);

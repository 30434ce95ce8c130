import type { FC } from 'hono/jsx';
import { fieldId } from './form-state.ts';

/**
 * Says at the top of a page what is wrong, with a link to each field. It takes the focus when the page loads, so that
 * whoever cannot see the page hears it first (GOV.UK Design System, Error summary).
 */
export const ErrorSummary: FC<{ title: string; errors: ReadonlyMap<string, string> }> = ({ title, errors }) =>
  errors.size === 0 ? null : (
    <div class="error-summary" role="alert" tabindex={-1} autofocus aria-labelledby="error-summary-title">
      <h2 id="error-summary-title">{title}</h2>
      <ul>
        {[...errors].map(([path, message]) => (
          <li>
            <a href={`#${fieldId(path)}`}>{message}</a>
          </li>
        ))}
      </ul>
    </div>
  );

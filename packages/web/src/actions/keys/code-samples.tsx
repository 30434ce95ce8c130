import type { FC } from 'hono/jsx';
import type { Docs } from '../../docs/docs.ts';
import { firstRequestSamples, variablesSample } from '../../docs/first-request.ts';
import { CopyButton } from '../../parts/copy.tsx';
import type { Page } from '../../site/page.ts';

/**
 * Shows how to create a verification, in each language, with the address of this installation.
 * @param props.apiKey the value of a key on the page that shows it; elsewhere a placeholder is shown
 */
export const FirstRequest: FC<{ page: Page; docs: Docs; apiKey?: string }> = ({ page, docs, apiKey }) => (
  <>
    {[variablesSample(docs, apiKey), ...firstRequestSamples(docs)].map(({ id, title, text }) => (
      <>
        <div class="copy-line">
          <h3>{title}</h3>
          <CopyButton page={page} of={id} what={title} />
        </div>
        <pre id={id}>
          <code>{text}</code>
        </pre>
      </>
    ))}
  </>
);

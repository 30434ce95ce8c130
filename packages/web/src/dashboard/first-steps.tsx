import type { FC } from 'hono/jsx';
import { FirstRequest } from '../actions/keys/code-samples.tsx';
import { type Docs, GUIDES_PATH } from '../docs/docs.ts';
import { FIRST_REQUEST_LANGUAGES } from '../docs/first-request.ts';
import type { GuideSlug } from '../docs/guide.ts';
import { listInWords } from '../site/formats.ts';
import type { Page } from '../site/page.ts';
import { DOCS_PATH } from '../site/paths.ts';

/** A step from the first key to real subjects. */
export interface FirstStep {
  readonly name: 'key' | 'verification' | 'webhook' | 'live';
  readonly isDone: boolean;
  /** Where the user does it; null for users who may not. */
  readonly path: string | null;
}

/** Steps without which the client cannot use the API. Once they are done, the list is folded. */
const NEEDED: readonly FirstStep['name'][] = ['key', 'verification'];

const GUIDES = ['webhooks', 'test-mode'] as const satisfies readonly GuideSlug[];

/** Lists what to do first, as long as something is left to do. @param props.docs null without documentation */
export const FirstSteps: FC<{ steps: readonly FirstStep[]; page: Page; docs: Docs | null }> = (props) => {
  const { steps, page, docs } = props;
  const { t, href, language } = page;
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  const isBeginning = steps.some(({ name, isDone }) => !isDone && NEEDED.includes(name));
  return (
    <section aria-labelledby="first-title" class="notice">
      <details open={isBeginning}>
        <summary>
          <h2 id="first-title">{t('dashboard:home.firstTitle')}</h2>{' '}
          {t('dashboard:home.firstDone', { done, all: steps.length })}
        </summary>
        <ol class="first-steps">
          {steps.map((step) => (
            <Step step={step} page={page} />
          ))}
        </ol>
        {docs === null ? null : (
          <>
            <details>
              <summary>
                {t('dashboard:home.samples', { languages: listInWords(FIRST_REQUEST_LANGUAGES, language) })}
              </summary>
              <FirstRequest page={page} docs={docs} />
            </details>
            <ul>
              <li>
                <a href={href(DOCS_PATH)}>{t('dashboard:home.reference')}</a>
              </li>
              {GUIDES.map((slug) => (
                <li>
                  <a href={href(`${GUIDES_PATH}/${slug}`)}>{t(`dashboard:home.guides.${slug}`)}</a>
                </li>
              ))}
            </ul>
          </>
        )}
      </details>
    </section>
  );
};

const Step: FC<{ step: FirstStep; page: Page }> = ({ step: { name, isDone, path }, page: { t, href } }) => {
  const words = t(`dashboard:home.steps.${name}.name`);
  if (isDone) {
    return (
      <li>
        {words} <span class="badge state-active">{t('dashboard:home.stepDone')}</span>
      </li>
    );
  }
  return (
    <li>
      {path === null ? <strong>{words}</strong> : <a href={href(path)}>{words}</a>}
      <span class="block">{t(`dashboard:home.steps.${name}.text`)}</span>
    </li>
  );
};

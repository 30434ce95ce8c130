import type { Verification } from '@countersign/domain';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { answerPage } from '../site/layout.tsx';
import type { Page } from '../site/page.ts';
import type { Site } from '../site/site.ts';
import { clientName } from './consent-text.tsx';
import { isDone, resumeSlug, verifyPath } from './navigation.ts';
import { Reason } from './requested-items.tsx';
import type { VerifyEnv } from './verify-env.ts';

/** Shows the status of the verification and what comes next, without any answer. */
export async function showStatePage(context: Context<VerifyEnv>, site: Site): Promise<Response> {
  const page = context.get('page');
  const verification = context.get('verification');
  const client = await clientName(context, site);
  const title = page.t(`verify:state.${verification.status}.title`);
  return answerPage(
    context,
    { title },
    <>
      <h1>{title}</h1>
      <State page={page} verification={verification} client={client} />
    </>,
  );
}

const State: FC<{ page: Page; verification: Verification; client: string }> = (props) => {
  const { page, verification, client } = props;
  switch (verification.status) {
    case 'pending':
      return <Start page={page} verification={verification} client={client} />;
    case 'action_needed':
      return <Requests page={page} verification={verification} />;
    case 'submitted':
    case 'approved':
    case 'rejected':
      return <Finished page={page} status={verification.status} />;
    default:
      return verification satisfies never;
  }
};

const Finished: FC<{ page: Page; status: 'submitted' | 'approved' | 'rejected' }> = ({ page, status }) => (
  <>
    <p class="lead">{page.t(`verify:state.${status}.text`)}</p>
    <p>{page.t(`verify:state.${status}.next`)}</p>
  </>
);

const Start: FC<{ page: Page; verification: Verification; client: string }> = (props) => {
  const { page, verification, client } = props;
  const { t } = page;
  const { type } = verification;
  const begun = Object.keys(verification.steps).length + Object.keys(verification.drafts).length > 0;
  return (
    <>
      <p class="lead">{begun ? t('verify:state.pending.begun') : t(`verify:state.pending.${type}`, { client })}</p>
      <p>{t('verify:state.pending.need')}</p>
      <ul>
        {(['first', 'second', 'third'] as const).map((item) => (
          <li>{t(`verify:state.pending.needs.${type}.${item}`)}</li>
        ))}
      </ul>
      <p>{t('verify:state.pending.saved')}</p>
      <ContinueLink page={page} verification={verification} label={begun ? t('verify:goOn') : t('verify:start')} />
    </>
  );
};

type ActionNeeded = Extract<Verification, { status: 'action_needed' }>;

const Requests: FC<{ page: Page; verification: ActionNeeded }> = ({ page, verification }) => {
  const { t } = page;
  const { request } = verification;
  return (
    <>
      <p class="lead">{t('verify:state.action_needed.text')}</p>
      {request.message === null ? null : (
        <blockquote>
          <p class="user-text">{request.message}</p>
          <footer>{t('verify:noteBy')}</footer>
        </blockquote>
      )}
      <ol class="requests">
        {request.items.map((item) => (
          <li>
            <h2>
              {t(`verify:steps.${item.step}`)}
              {isDone(verification, item.step) ? (
                <span class="tag">{t('verify:state.action_needed.done')}</span>
              ) : null}
            </h2>
            <Reason page={page} item={item} />
          </li>
        ))}
      </ol>
      <p>{t('verify:state.action_needed.next')}</p>
      <ContinueLink page={page} verification={verification} label={t('verify:goOn')} />
    </>
  );
};

const ContinueLink: FC<{ page: Page; verification: Verification; label: string }> = (props) => {
  const { page, verification, label } = props;
  return (
    <>
      <p>
        <a href={page.href(verifyPath(verification, resumeSlug(verification)))} class="main-action">
          {label}
        </a>
      </p>
      <p class="phone-offer">
        <a href={page.href(verifyPath(verification, 'phone'))}>{page.t('verify:onPhone')}</a>
      </p>
    </>
  );
};

import { type SystemReason, systemReasonOf, type Verification } from '@countersign/domain';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import type { LinkPreview } from '../site/appearance-parts.tsx';
import { momentInWords } from '../site/formats.ts';
import { answerPage } from '../site/layout.tsx';
import type { MessageKey, Translate } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import { clientName } from './consent-text.tsx';
import { DataCopyLink } from './data-copy.tsx';
import { addressOf, Reason, Reference, ReviewerNote } from './flow-frame.tsx';
import { isDone, PHONE, resumeSlug } from './navigation.ts';
import { ReturnLink, type WayBack, wayBackOf } from './return-link.tsx';
import type { VerifyEnv } from './session.ts';

/** Shows the status of the verification and what comes next, without any answer. */
export async function showStatePage(context: Context<VerifyEnv>, site: Site): Promise<Response> {
  const verification = context.get('verification');
  const page = context.get('page');
  const client = await clientName(page);
  const title = page.t(titleOf(verification), { client });
  const content =
    verification.status === 'pending' ? (
      <Start context={context} verification={verification} />
    ) : verification.status === 'action_needed' ? (
      <Requests context={context} verification={verification} />
    ) : (
      <Waiting context={context} verification={verification} wayBack={await wayBackOf(context, site)} />
    );
  return answerPage(
    context,
    { title, preview: previewOf(verification, client, page.t) },
    <>
      <h1>{title}</h1>
      {content}
      {verification.erasedAt === null ? <DataCopyLink context={context} /> : null}
    </>,
  );
}

/** What messengers show of the link. It says nothing of the status, except whether there is something to do. */
export function previewOf({ type, status }: Verification, client: string, t: Translate): LinkPreview {
  return status === 'pending' || status === 'action_needed'
    ? { title: t(`verify:state.pending.titles.${type}`, { client }), description: t(`verify:preview.${type}`) }
    : { title: t('verify:preview.closed', { client }), description: t('site:footer') };
}

function titleOf(verification: Verification): MessageKey {
  const erasure = erasureOf(verification);
  if (erasure !== null) return `verify:state.${erasure}.title`;
  switch (verification.status) {
    case 'pending':
      return `verify:state.pending.titles.${verification.type}`;
    case 'action_needed':
      return 'verify:state.action_needed.title';
    default:
      return `verify:state.${textsOf(verification)}.title`;
  }
}

/** Names the texts of a verification that asks nothing of the subject. One that ended without a review has its own. */
function textsOf(
  verification: StateProps<'submitted' | 'approved' | 'rejected'>['verification'],
): 'submitted' | 'approved' | 'rejected' | SystemReason | 'restricted' | 'erased' {
  const erasure = erasureOf(verification);
  if (erasure !== null) return erasure;
  return verification.status === 'rejected'
    ? (systemReasonOf(verification.decision) ?? 'rejected')
    : verification.status;
}

/** Names the texts of a verification whose data is erased, or hidden until it may be. A hold has no text: it is not for the subject. */
function erasureOf({ erasureRequestedAt, erasedAt }: Verification): 'restricted' | 'erased' | null {
  if (erasedAt !== null) return 'erased';
  return erasureRequestedAt === null ? null : 'restricted';
}

interface StateProps<S extends Verification['status']> {
  readonly context: Context<VerifyEnv>;
  readonly verification: Extract<Verification, { status: S }>;
}

const Start: FC<StateProps<'pending'>> = ({ context, verification }) => {
  const { t } = context.get('page');
  const { type, steps, drafts } = verification;
  const hasBegun = Object.keys(steps).length + Object.keys(drafts).length > 0;
  return (
    <>
      <p class="lead">{hasBegun ? t('verify:state.pending.begun') : t(`verify:state.pending.${type}`)}</p>
      <p>{t('verify:state.pending.need')}</p>
      <ul>
        {(['first', 'second', 'third'] as const).map((item) => (
          <li>{t(`verify:state.pending.needs.${type}.${item}`)}</li>
        ))}
      </ul>
      <p>{t('verify:state.pending.saved')}</p>
      <ContinueLinks context={context} label={hasBegun ? t('verify:goOn') : t('verify:start')} />
    </>
  );
};

const Requests: FC<StateProps<'action_needed'>> = ({ context, verification }) => {
  const page = context.get('page');
  const { t } = page;
  const { message, items } = verification.request;
  return (
    <>
      <p class="lead">{t('verify:state.action_needed.text')}</p>
      {message === null ? null : <ReviewerNote page={page} text={message} />}
      <ol class="requests">
        {items.map((item) => (
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
      <ContinueLinks context={context} label={t('verify:goOn')} />
    </>
  );
};

const Waiting: FC<StateProps<'submitted' | 'approved' | 'rejected'> & { wayBack: WayBack | null }> = (props) => {
  const { context, verification, wayBack } = props;
  const page = context.get('page');
  const { t } = page;
  const texts = textsOf(verification);
  return (
    <>
      <p class="lead">{t(`verify:state.${texts}.text`)}</p>
      <p>{t(`verify:state.${texts}.next`)}</p>
      <Reference page={page} id={verification.id} />
      {wayBack === null ? null : <ReturnLink page={page} wayBack={wayBack} />}
    </>
  );
};

/** Links to the first unanswered page and to the page that continues on a phone, and says how long the link works. */
const ContinueLinks: FC<{ context: Context<VerifyEnv>; label: string }> = ({ context, label }) => {
  const { t, language } = context.get('page');
  const verification = context.get('verification');
  return (
    <>
      <p>
        <a href={addressOf(context, resumeSlug(verification))} class="button main-action">
          {label}
        </a>
      </p>
      <p class="phone-offer">
        <a href={addressOf(context, PHONE)}>{t('verify:onPhone')}</a>
      </p>
      <p class="quiet">{t('verify:linkEnds', { moment: momentInWords(verification.link.expiresAt, language) })}</p>
    </>
  );
};

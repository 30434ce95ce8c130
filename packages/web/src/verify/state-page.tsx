import {
  type ActionItem,
  type SubjectType,
  type SystemReason,
  systemReasonOf,
  type Verification,
} from '@countersign/domain';
import type { DecisionTime, FlowSwitch } from '@countersign/domain/clients';
import { isPageAnswered, openScreensOf, pageOfPath, stepOf } from '@countersign/domain/flows';
import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { Timeline } from '../parts/blocks.tsx';
import { Drawing } from '../parts/drawing.tsx';
import { EncryptedLine } from '../parts/encrypted-line.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import type { LinkPreview } from '../site/appearance-parts.tsx';
import { untilInWords } from '../site/days.ts';
import { answerPage } from '../site/layout.tsx';
import type { MessageKey, Translate } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import { clientName } from './consent-text.tsx';
import { DataCopyLink } from './data-copy.tsx';
import { addressOf, phoneAddressOf, Reason, Reference, ReviewerNote } from './flow-frame.tsx';
import { askedTitle } from './flow-texts.ts';
import { formOf, isConsent, scriptsOf } from './form-page.tsx';
import { isDone, isUntouched, progressOf, resumeSlug } from './navigation.ts';
import { PhoneOffer } from './phone-offer.tsx';
import { ReturnLink, type WayBack, wayBackOf } from './return-link.tsx';
import { shownIn, type VerifyEnv } from './session.ts';

/** Shows the status of the verification and what comes next, without any answer. */
export async function showStatePage(context: Context<VerifyEnv>, site: Site): Promise<Response> {
  const verification = context.get('verification');
  const page = context.get('page');
  const client = await clientName(page);
  const title = page.t(titleOf(verification), { client });
  const linkEnds = untilInWords(page, verification.link.expiresAt, site.options.clock.now());
  const first = isUntouched(verification) ? openScreensOf(verification, context.get('asks'))[0] : undefined;
  const consent = first !== undefined && isConsent(first) ? first : null;
  const content =
    verification.status === 'pending' ? (
      <Start
        context={context}
        verification={verification}
        linkEnds={linkEnds}
        consent={consent === null ? null : await formOf(context, consent)}
      />
    ) : verification.status === 'action_needed' ? (
      <Requests context={context} verification={verification} linkEnds={linkEnds} />
    ) : (
      <Waiting
        context={context}
        verification={verification}
        client={client}
        wayBack={await wayBackOf(context, site)}
        decisionWithin={await decisionTimeOf(verification, site)}
      />
    );
  return answerPage(
    context,
    {
      title,
      preview: previewOf(verification, client, page.t),
      ...(consent !== null && { scripts: scriptsOf(consent) }),
    },
    <>
      {isReceived(verification) ? <Drawing page={page} name="done" /> : null}
      <h1>{title}</h1>
      {content}
      {verification.erasedAt === null ? (
        <>
          {context.get('page').parts.has('exports') ? <DataCopyLink context={context} /> : null}
          <EncryptedLine page={page} client={client} />
        </>
      ) : null}
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

/** Returns when a decision on a submitted verification usually comes, by the settings of its client. */
async function decisionTimeOf(
  { status, clientId }: Verification,
  { options }: Site,
): Promise<DecisionTime | null> {
  if (status !== 'submitted') return null;
  return (await options.countersign.flowSettings.get(clientId)).rules.decisionWithin;
}

/** Whether everything has arrived, and nothing of it was refused. */
function isReceived(verification: Verification): boolean {
  const { status } = verification;
  return erasureOf(verification) === null && (status === 'submitted' || status === 'approved');
}

interface StateProps<S extends Verification['status']> {
  readonly context: Context<VerifyEnv>;
  readonly verification: Extract<Verification, { status: S }>;
}

interface OpenProps<S extends Verification['status']> extends StateProps<S> {
  /** Until when the link works, in words. */
  readonly linkEnds: string;
}

type NeedText<T extends SubjectType> = Extract<MessageKey, `verify:state.pending.needs.${T}.${string}`>;

/** What a subject needs: text, icon, and the switch of the client's settings that asks for it. */
interface Need {
  readonly text: NeedText<SubjectType>;
  readonly icon: IconName;
  readonly asked?: FlowSwitch;
}

const NEEDS: Readonly<Record<SubjectType, readonly Need[]>> = {
  kyc: [
    { text: 'verify:state.pending.needs.kyc.document', icon: 'id-card' },
    { text: 'verify:state.pending.needs.kyc.face', icon: 'user' },
    { text: 'verify:state.pending.needs.kyc.proof', icon: 'file-text', asked: 'proofOfAddress' },
    { text: 'verify:state.pending.needs.kyc.minutes', icon: 'clock' },
  ],
  kyb: [
    { text: 'verify:state.pending.needs.kyb.extract', icon: 'file-text' },
    { text: 'verify:state.pending.needs.kyb.people', icon: 'users' },
    { text: 'verify:state.pending.needs.kyb.document', icon: 'id-card' },
    { text: 'verify:state.pending.needs.kyb.minutes', icon: 'clock' },
  ],
};

interface StartProps extends OpenProps<'pending'> {
  /** The form of the first screen, if it asks for consent and nothing was answered yet. */
  readonly consent: Child | null;
}

const Start: FC<StartProps> = ({ context, verification, linkEnds, consent }) => {
  const page = context.get('page');
  const { t } = page;
  const { type } = verification;
  const hasBegun = !isUntouched(verification);
  const shown = shownIn(context);
  const minutes = Math.max(1, progressOf(shown, resumeSlug(shown)).minutesLeft ?? 1);
  return (
    <>
      <p class="lead">{hasBegun ? t('verify:state.pending.begun') : t(`verify:state.pending.${type}`)}</p>
      <ul class="needs">
        {NEEDS[type]
          .filter(({ asked }) => asked === undefined || shown.asks[asked])
          .map(({ text, icon }) => (
            <li>
              <Icon page={page} name={icon} />
              {t(text, { minutes })}
            </li>
          ))}
      </ul>
      {consent}
      <ContinueLinks
        context={context}
        label={consent !== null ? null : hasBegun ? t('verify:goOn') : t('verify:start')}
        linkEnds={linkEnds}
      />
      <p class="quiet">{t('verify:state.pending.saved')}</p>
    </>
  );
};

const Requests: FC<OpenProps<'action_needed'>> = ({ context, verification, linkEnds }) => {
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
              {askedTitle(t, verification, item)}
              {isItemDone(verification, item) ? (
                <Badge tone="good" icon="check" page={page}>
                  {t('verify:state.action_needed.done')}
                </Badge>
              ) : null}
            </h2>
            <Reason page={page} item={item} />
          </li>
        ))}
      </ol>
      <p>{t('verify:state.action_needed.next')}</p>
      <ContinueLinks context={context} label={t('verify:goOn')} linkEnds={linkEnds} />
    </>
  );
};

/** Whether the subject has answered what an item asks for. */
function isItemDone(verification: Verification, { step, field }: ActionItem): boolean {
  if (isDone(verification, step)) return true;
  const pages = stepOf(verification.flow, step);
  const page = pages === null || field === undefined ? null : pageOfPath(pages, field);
  return page !== null && isPageAnswered(verification, step, page);
}

interface WaitingProps extends StateProps<'submitted' | 'approved' | 'rejected'> {
  readonly client: string;
  readonly wayBack: WayBack | null;
  /** When a decision usually comes; null if the subject is not told. */
  readonly decisionWithin: DecisionTime | null;
}

const Waiting: FC<WaitingProps> = ({ context, verification, client, wayBack, decisionWithin }) => {
  const page = context.get('page');
  const { t } = page;
  const texts = textsOf(verification);
  return (
    <>
      <p class="lead">{t(`verify:state.${texts}.text`)}</p>
      {texts === 'submitted' ? (
        <Timeline
          page={page}
          items={[
            {
              icon: 'check',
              title: <strong>{t('verify:state.submitted.received')}</strong>,
              text: t('verify:state.submitted.receivedText'),
            },
            {
              icon: 'eye',
              title: <strong>{t('verify:state.submitted.checking')}</strong>,
              text: t('verify:state.submitted.checkingText'),
            },
            {
              icon: 'mail',
              title: <strong>{t('verify:state.submitted.result')}</strong>,
              text: [
                ...(decisionWithin === null ? [] : [t(`verify:state.submitted.decision.${decisionWithin}`)]),
                verification.notify === null
                  ? t('verify:state.submitted.resultText', { client })
                  : t('verify:state.submitted.resultByMail'),
              ].join(' '),
            },
          ]}
        />
      ) : (
        <p>{t(`verify:state.${texts}.next`)}</p>
      )}
      <Reference page={page} id={verification.id} />
      {wayBack === null ? null : <ReturnLink page={page} wayBack={wayBack} />}
    </>
  );
};

/** Links to the first unanswered page, unless the page has its form, and to the page that continues on a phone, and says how long the link works. */
const ContinueLinks: FC<{ context: Context<VerifyEnv>; label: string | null; linkEnds: string }> = (props) => {
  const { context, label, linkEnds } = props;
  const { t } = context.get('page');
  return (
    <>
      {label === null ? null : (
        <p class="next">
          <a href={addressOf(context, resumeSlug(shownIn(context)))} class="button main-action">
            {label}
          </a>
        </p>
      )}
      <PhoneOffer address={phoneAddressOf(context)} label={t('verify:onPhone')} />
      <p class="quiet">{t('verify:linkEnds', { until: linkEnds })}</p>
    </>
  );
};

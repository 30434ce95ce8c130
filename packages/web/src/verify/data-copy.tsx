import { isCountersignError } from '@countersign/domain';
import type { SubjectExport } from '@countersign/domain/exports';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { EncryptedLine } from '../parts/encrypted-line.tsx';
import { BackLink } from '../parts/page-parts.tsx';
import { fromDayInWords, untilInWords, utcDayInWords } from '../site/days.ts';
import { answerPage } from '../site/layout.tsx';
import type { MessageKey } from '../site/messages.ts';
import type { Site } from '../site/site.ts';
import { clientName } from './consent-text.tsx';
import { addressOf } from './flow-frame.tsx';
import { DATA_COPY, verifyPath } from './navigation.ts';
import type { VerifyEnv } from './session.ts';

/** Shows the request for a copy of the subject's data, or offers to send one. */
export async function showDataCopyPage(context: Context<VerifyEnv>, site: Site): Promise<Response> {
  const { subject } = site.options.countersign;
  const [request, client] = await Promise.all([
    subject.exportOf(context.get('access')),
    clientName(context.get('page')),
  ]);
  const open = request !== null && ['requested', 'released'].includes(request.state) ? request : null;
  const declined = open === null ? (request?.declined ?? null) : null;
  // After the end of a copy, and some time after a refusal, the subject can request another.
  const mayAsk = request === null || request.state === 'ended';
  const page = context.get('page');
  const { t } = page;
  const title = t(
    open !== null ? sentTitle(open) : declined !== null ? 'exports:request.declined' : 'exports:request.title',
  );
  return answerPage(
    context,
    { title },
    <>
      <div class="flow-head">
        <BackLink path={verifyPath(context.get('verification'))} label="site:back" page={page} />
      </div>
      <h1>{title}</h1>
      {open === null ? null : (
        <Sent context={context} request={open} client={client} now={site.options.clock.now()} />
      )}
      {request === null || declined === null ? null : (
        <Declined context={context} request={request} declined={declined} client={client} />
      )}
      {mayAsk ? (
        <>
          <p class="lead">{t('exports:request.text')}</p>
          <p>{t('exports:request.next', { client })}</p>
          <form method="post" action={addressOf(context, DATA_COPY)}>
            <div class="next">
              <button type="submit">{t('exports:request.submit')}</button>
            </div>
          </form>
        </>
      ) : null}
      <EncryptedLine page={page} client={client} />
    </>,
  );
}

/** Takes the request and shows it. A request that is sent again changes nothing. */
export async function takeDataCopyPage(context: Context<VerifyEnv>, site: Site): Promise<Response> {
  try {
    await site.options.countersign.subject.requestExport(context.get('access'));
  } catch (error) {
    // The data was erased: the status page offers no copy.
    if (!isCountersignError(error, 'ILLEGAL_TRANSITION')) throw error;
    return context.redirect(addressOf(context), 303);
  }
  return context.redirect(addressOf(context, DATA_COPY), 303);
}

/** Staff release copies without a request, too. */
function sentTitle({ requestedBy }: SubjectExport): MessageKey {
  return requestedBy === 'subject' ? 'exports:request.sent' : 'exports:request.prepared';
}

const Sent: FC<{ context: Context<VerifyEnv>; request: SubjectExport; client: string; now: Date }> = (props) => {
  const { context, request, client, now } = props;
  const page = context.get('page');
  const { t } = page;
  const { requestedAt, requestedBy, expiresAt } = request;
  return (
    <>
      {requestedBy === 'subject' ? (
        <p class="lead">{t('exports:request.sentAt', { client, moment: utcDayInWords(requestedAt, page) })}</p>
      ) : null}
      <p>
        {expiresAt === null
          ? t('exports:request.next', { client })
          : t('exports:request.released', { client, until: untilInWords(page, expiresAt, now) })}
      </p>
    </>
  );
};

/** Says that the client declined the request, why, and what the subject can do (GDPR Art. 12(4)). */
const Declined: FC<{
  context: Context<VerifyEnv>;
  request: SubjectExport;
  declined: NonNullable<SubjectExport['declined']>;
  client: string;
}> = ({ context, request: { requestedAt, state }, declined, client }) => {
  const page = context.get('page');
  const { t } = page;
  const moments = { requested: utcDayInWords(requestedAt, page), declined: utcDayInWords(declined.at, page) };
  return (
    <>
      <p class="lead">{t('exports:request.declinedAt', { client, ...moments })}</p>
      <p>{t(`exports:request.declinedFor.${declined.reason}`, { client })}</p>
      <p>{t('exports:request.remedies', { client })}</p>
      {state === 'ended' ? null : (
        <p>{t('exports:request.askAgain', { moment: fromDayInWords(declined.askAgainFrom, page) })}</p>
      )}
    </>
  );
};

/** A small link at the end of a page, apart from what the page asks. */
export const DataCopyLink: FC<{ context: Context<VerifyEnv> }> = ({ context }) => (
  <p class="data-copy">
    <a href={addressOf(context, DATA_COPY)}>{context.get('page').t('exports:request.title')}</a>
  </p>
);

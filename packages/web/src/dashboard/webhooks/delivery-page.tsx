import { getWebhook, listWebhookAttempts, resendWebhook } from '@countersign/domain/actions';
import type { Attempt } from '@countersign/domain/storage';
import type { WebhookResponse, WebhookTest } from '@countersign/domain/webhooks';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { Card } from '../../parts/blocks.tsx';
import { COPY_SCRIPT, CopyId } from '../../parts/copy.tsx';
import { Facts, Moment } from '../../parts/page-parts.tsx';
import { figure } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../../staff/area.tsx';
import { deliveryPath, webhookPath } from '../paths.ts';
import { EndpointState } from './webhook-list.tsx';

/** The page of a delivery: each request and its response, the newest first. */
export const deliveryPage: Handler<StaffEnv, '/:endpointId/deliveries/:eventId'> = async (context) => {
  const page = context.get('page');
  const { t, href } = page;
  const as = context.get('as');
  const { endpointId, eventId } = context.req.param();
  const endpoint = await as.run(getWebhook, { endpointId });
  const attempts = await as.run(listWebhookAttempts, { endpointId, eventId });
  const mayResend = as.may(resendWebhook) !== 'no' && endpoint.state !== 'disabled' && attempts.length > 0;
  return answerStaffPage(
    context,
    {
      title: t('dashboard:webhooks.delivery.title'),
      back: { path: webhookPath(endpointId), label: 'dashboard:webhooks.backToOne' },
      scripts: [COPY_SCRIPT],
    },
    <>
      <div class="list-head">
        <h1>{t('dashboard:webhooks.delivery.title')}</h1>
        {mayResend ? (
          <a href={href(deliveryPath(endpointId, eventId, 'resend'))} class="button">
            {t('dashboard:webhooks.resend')}
          </a>
        ) : null}
      </div>
      <div class="card">
        <Facts
          items={[
            [
              t('dashboard:webhooks.endpoint'),
              <>
                <span class="as-typed">
                  <bdi>{endpoint.name}</bdi>
                </span>{' '}
                <EndpointState endpoint={endpoint} page={page} />
              </>,
            ],
            [
              t('dashboard:webhooks.delivery.eventId'),
              <CopyId page={page} id="event-id" value={eventId} what={t('dashboard:webhooks.delivery.eventId')} />,
            ],
          ]}
        />
      </div>
      {attempts.length === 0 ? <p>{t('dashboard:webhooks.delivery.none')}</p> : null}
      {attempts.toReversed().map((attempt, index) => (
        <OneAttempt attempt={attempt} number={attempts.length - index} page={page} />
      ))}
    </>,
  );
};

const OneAttempt: FC<{ attempt: Attempt; number: number; page: Page }> = ({ attempt, number, page }) => {
  const { id, at, request, response, ...result } = attempt;
  const { t } = page;
  return (
    <Card id={`attempt-${id}`} title={t('dashboard:webhooks.delivery.attempt', { number })}>
      <Exchange request={request} response={{ ...result, text: response }} at={at} heading="h3" page={page} />
    </Card>
  );
};

/** Shows a test webhook and its response. It is not stored, so a reload leads to the endpoint. */
export function answerTest(
  { request, response }: WebhookTest,
  context: Context<StaffEnv>,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t } = page;
  const back = webhookPath(context.req.param('endpointId') ?? '');
  const isReceived = response.verdict === 'accepted';
  const title = t(isReceived ? 'dashboard:webhooks.test.received' : 'dashboard:webhooks.test.notReceived');
  return answerStaffPage(
    context,
    {
      title,
      back: { path: back, label: 'dashboard:webhooks.backToOne' },
      headers: { 'Cache-Control': 'no-store' },
    },
    <>
      <h1>{title}</h1>
      <div class="card">
        <Exchange request={request} response={response} heading="h2" page={page} />
      </div>
    </>,
  );
}

/** A request and its response. Both are shown as text, below headings of the given level. */
const Exchange: FC<{
  request: string;
  response: Pick<WebhookResponse, 'status' | 'text' | 'fault' | 'durationMs'>;
  at?: Date;
  heading: 'h2' | 'h3';
  page: Page;
}> = ({ request, response, at, heading: Heading, page }) => {
  const { t, language } = page;
  const { status, text, fault, durationMs } = response;
  return (
    <>
      <Facts
        items={[
          at === undefined ? null : [t('dashboard:webhooks.delivery.at'), <Moment at={at} page={page} />],
          status === null
            ? [t('dashboard:webhooks.delivery.fault'), <span lang="en">{fault}</span>]
            : [t('dashboard:webhooks.delivery.status'), <code>{status}</code>],
          [
            t('dashboard:webhooks.delivery.duration'),
            t('dashboard:webhooks.delivery.milliseconds', {
              count: durationMs,
              number: figure(durationMs, language),
            }),
          ],
        ]}
      />
      <Heading>{t('dashboard:webhooks.delivery.request')}</Heading>
      <pre>
        <code>{request}</code>
      </pre>
      {text === null ? null : (
        <>
          <Heading>{t('dashboard:webhooks.delivery.response')}</Heading>
          {text === '' ? (
            <p class="quiet">{t('dashboard:webhooks.delivery.emptyResponse')}</p>
          ) : (
            <pre>
              <code>{text}</code>
            </pre>
          )}
        </>
      )}
    </>
  );
};

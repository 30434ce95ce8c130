import {
  type ActionEntry,
  changeWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listWebhookDeliveries,
  pauseWebhook,
  removeWebhook,
  resendWebhooksSince,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '@countersign/domain/actions';
import { DELIVERY_STATES, type DeliveryEntry } from '@countersign/domain/storage';
import { type EndpointMove, isEndpointMovePossible, type ListedEndpoint } from '@countersign/domain/webhooks';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { StateBadge } from '../../parts/badge.tsx';
import { Facts, LinkTo, Moment, Section } from '../../parts/page-parts.tsx';
import type { MessageKey } from '../../site/messages.ts';
import { ShortReference } from '../../site/short-reference.tsx';
import type { StaffEnv } from '../../staff/area.tsx';
import { type ListPage, listPage } from '../../staff/list-page.tsx';
import { deliveryPath, verificationPath, WEBHOOKS_PATH, type WebhookAction, webhookPath } from '../paths.ts';
import { StateAndSince, TypeList } from './webhook-list.tsx';

/** The page of an endpoint: what it receives, what a user can do with it, and its log. */
export const webhookPage: Handler<StaffEnv, '/:endpointId'> = async (context) => {
  const endpoint = await context.get('as').run(getWebhook, { endpointId: context.req.param('endpointId') });
  return listPage(logOf(endpoint))(context);
};

/** The deliveries to an endpoint, newest event first. */
function logOf(endpoint: ListedEndpoint): ListPage<DeliveryEntry> {
  const { id: endpointId } = endpoint;
  return {
    path: webhookPath(endpointId),
    title: 'dashboard:webhooks.one',
    results: 'dashboard:webhooks.done',
    intro: (context) => <Intro context={context} endpoint={endpoint} />,
    empty: {
      title: 'dashboard:webhooks.log.empty',
      text: 'dashboard:webhooks.log.emptyText',
      noMatch: 'dashboard:webhooks.log.noMatch',
    },
    filters(context) {
      const { t } = context.get('page');
      return [
        {
          name: 'state',
          label: t('dashboard:webhooks.log.state'),
          options: DELIVERY_STATES.map((state) => [state, t(`dashboard:webhooks.log.states.${state}`)]),
          unknown: t('dashboard:webhooks.log.badState'),
        },
      ];
    },
    async load(context, { state }) {
      const after = context.req.query('after');
      const { deliveries, next } = await context.get('as').run(listWebhookDeliveries, {
        endpointId,
        state: DELIVERY_STATES.find((each) => each === state),
        after: after || undefined,
      });
      return { rows: deliveries, pages: { cursor: 'after', next } };
    },
    problem: (_issue, _values, t) => ['after', t('dashboard:webhooks.log.badAfter')],
    columns(context) {
      const page = context.get('page');
      const { t, href } = page;
      return [
        {
          title: t('dashboard:webhooks.log.event'),
          isRowHeader: true,
          cell: ({ eventId, type }) => (
            <a href={href(deliveryPath(endpointId, eventId))}>
              <code>{type}</code>
            </a>
          ),
        },
        { title: t('dashboard:webhooks.log.at'), cell: ({ at }) => <Moment at={at} page={page} /> },
        {
          title: t('dashboard:webhooks.log.state'),
          cell: ({ state, dueAt }) => (
            <>
              <StateBadge of={`delivery.${state}`} page={page} />
              {dueAt === null || endpoint.state !== 'active' ? null : (
                <span class="block quiet">
                  {t('dashboard:webhooks.log.due')} <Moment at={dueAt} page={page} />
                </span>
              )}
            </>
          ),
        },
        { title: t('dashboard:webhooks.log.attempts'), cell: ({ attempts }) => String(attempts) },
        {
          title: t('dashboard:webhooks.log.verification'),
          cell: ({ verificationId, version }) => (
            <>
              <a href={href(verificationPath(verificationId))}>
                <ShortReference id={verificationId} />
              </a>
              <span class="block quiet">{t('dashboard:webhooks.log.sequence', { sequence: version })}</span>
            </>
          ),
        },
      ];
    },
  };
}

interface Choice {
  readonly action: ActionEntry;
  readonly path: WebhookAction;
  readonly label: MessageKey;
  readonly move?: EndpointMove;
}

const CHOICES: readonly Choice[] = [
  { action: testWebhook, path: 'test', label: 'dashboard:webhooks.test.link' },
  { action: changeWebhook, path: 'change', label: 'dashboard:webhooks.change' },
  { action: rotateWebhookSecret, path: 'secret', label: 'dashboard:webhooks.rotate' },
  { action: pauseWebhook, path: 'pause', label: 'dashboard:webhooks.pause', move: 'pause' },
  { action: resumeWebhook, path: 'resume', label: 'dashboard:webhooks.resume', move: 'resume' },
  { action: disableWebhook, path: 'disable', label: 'dashboard:webhooks.disable', move: 'disable' },
  { action: enableWebhook, path: 'enable', label: 'dashboard:webhooks.enable', move: 'enable' },
  { action: removeWebhook, path: 'remove', label: 'dashboard:webhooks.remove' },
];

const Intro: FC<{ context: Context<StaffEnv>; endpoint: ListedEndpoint }> = ({ context, endpoint }) => {
  const page = context.get('page');
  const { t, href } = page;
  const { may } = context.get('as');
  const { id, name, url, types, state, since, replacedSecretsUntil } = endpoint;
  const choices = CHOICES.filter(
    ({ action, move }) => may(action) !== 'no' && (move === undefined || isEndpointMovePossible(move, state)),
  );
  return (
    <>
      <LinkTo path={WEBHOOKS_PATH} label="dashboard:webhooks.back" page={page} />
      <Facts
        items={[
          [
            t('dashboard:webhooks.name'),
            <strong class="as-typed">
              <bdi>{name}</bdi>
            </strong>,
          ],
          [
            t('dashboard:webhooks.url'),
            <code class="as-typed">
              <bdi>{url}</bdi>
            </code>,
          ],
          [t('dashboard:webhooks.state'), <StateAndSince endpoint={endpoint} page={page} />],
          [t('dashboard:webhooks.types'), <TypeList types={types} />],
          [t('dashboard:webhooks.since'), <Moment at={since} page={page} />],
          replacedSecretsUntil.length === 0
            ? null
            : [
                t('dashboard:webhooks.replacedSecrets'),
                replacedSecretsUntil.map((until) => (
                  <span class="block">
                    <Moment at={until} page={page} />
                  </span>
                )),
              ],
        ]}
      />
      {state === 'active' ? null : <p class="notice warn">{t(`dashboard:webhooks.stateHint.${state}`)}</p>}
      <div class="buttons">
        {choices.map(({ path, label }) => (
          <a href={href(webhookPath(id, path))}>{t(label)}</a>
        ))}
      </div>
      <Section id="log" title={t('dashboard:webhooks.log.title')}>
        <p class="quiet">{t('dashboard:webhooks.log.intro')}</p>
        {may(resendWebhooksSince) === 'no' || state === 'disabled' ? null : (
          <LinkTo path={webhookPath(id, 'resend')} label="dashboard:webhooks.log.resendSince" page={page} />
        )}
      </Section>
    </>
  );
};

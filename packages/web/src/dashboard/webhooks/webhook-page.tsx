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
import { type Danger, DangerZone } from '../../actions/danger-zone.tsx';
import { StateBadge } from '../../parts/badge.tsx';
import { Card, Notice } from '../../parts/blocks.tsx';
import { Ago, ButtonTo, Facts, Moment } from '../../parts/page-parts.tsx';
import type { MessageKey } from '../../site/messages.ts';
import { ShortReference } from '../../site/short-reference.tsx';
import type { StaffEnv } from '../../staff/area.tsx';
import { type ListPage, listPage } from '../../staff/list-page.tsx';
import { deliveryPath, verificationPath, WEBHOOKS_PATH, type WebhookAction, webhookPath } from '../paths.ts';
import { EndpointState } from './webhook-list.tsx';

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
    name: endpoint.name,
    back: { path: WEBHOOKS_PATH, label: 'dashboard:nav.webhooks' },
    results: 'dashboard:webhooks.done',
    intro: (context) => <Intro context={context} endpoint={endpoint} />,
    aside: (context) => <About context={context} endpoint={endpoint} />,
    end: (context) => <DangerZone context={context} dangers={dangersOf(endpoint)} />,
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
          asLinks: true,
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
      const now = context.get('site').options.clock.now();
      return [
        {
          title: t('dashboard:webhooks.log.event'),
          isRowHeader: true,
          class: 'clip',
          cell: ({ eventId, type }) => (
            <a href={href(deliveryPath(endpointId, eventId))} class="row-link" title={type}>
              <code>{type}</code>
            </a>
          ),
        },
        {
          title: t('dashboard:webhooks.log.at'),
          isClear: true,
          class: 'time',
          cell: ({ at }) => <Ago at={at} now={now} page={page} />,
        },
        {
          title: t('dashboard:webhooks.log.state'),
          class: 'status',
          cell: ({ state }) => <StateBadge of={`delivery.${state}`} page={page} />,
        },
        {
          title: t('dashboard:webhooks.log.due'),
          hiddenOn: 'narrow',
          class: 'time',
          cell: ({ dueAt }) =>
            dueAt === null || endpoint.state !== 'active' ? '' : <Moment at={dueAt} page={page} />,
        },
        { title: t('dashboard:webhooks.log.attempts'), class: 'number', cell: ({ attempts }) => String(attempts) },
        {
          title: t('dashboard:webhooks.log.verification'),
          class: 'clip',
          cell: ({ verificationId, version }) => (
            <a
              href={href(verificationPath(verificationId))}
              class="quiet-link"
              title={t('dashboard:webhooks.log.sequence', { sequence: version })}
            >
              <ShortReference id={verificationId} />
            </a>
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
  { action: enableWebhook, path: 'enable', label: 'dashboard:webhooks.enable', move: 'enable' },
];

function dangersOf({ id, state }: ListedEndpoint): readonly Danger[] {
  const disable: Danger = {
    action: disableWebhook,
    path: webhookPath(id, 'disable'),
    label: 'dashboard:webhooks.disable',
  };
  const remove: Danger = {
    action: removeWebhook,
    path: webhookPath(id, 'remove'),
    label: 'dashboard:webhooks.remove',
  };
  return isEndpointMovePossible('disable', state) ? [disable, remove] : [remove];
}

const Intro: FC<{ context: Context<StaffEnv>; endpoint: ListedEndpoint }> = ({ context, endpoint }) => {
  const { t, href } = context.get('page');
  const { id, state } = endpoint;
  return (
    <>
      {state === 'active' ? null : <Notice tone="warn">{t(`dashboard:webhooks.stateHint.${state}`)}</Notice>}
      <div class="card-head">
        <h2>{t('dashboard:webhooks.log.title')}</h2>
        {context.get('as').may(resendWebhooksSince) === 'no' || state === 'disabled' ? null : (
          <a href={href(webhookPath(id, 'resend'))} class="button secondary">
            {t('dashboard:webhooks.log.resendSince')}
          </a>
        )}
      </div>
      <p class="quiet">{t('dashboard:webhooks.log.intro')}</p>
    </>
  );
};

/** What the endpoint receives, and what a user can do with it. */
const About: FC<{ context: Context<StaffEnv>; endpoint: ListedEndpoint }> = ({ context, endpoint }) => {
  const page = context.get('page');
  const { t } = page;
  const { may } = context.get('as');
  const { id, url, types, state, failingSince, since, replacedSecretsUntil } = endpoint;
  const choices = CHOICES.filter(
    ({ action, move }) => may(action) !== 'no' && (move === undefined || isEndpointMovePossible(move, state)),
  );
  return (
    <Card
      id="endpoint"
      title={t('dashboard:webhooks.endpoint')}
      more={<EndpointState endpoint={endpoint} page={page} />}
    >
      <Facts
        items={[
          failingSince === null
            ? null
            : [t('dashboard:webhooks.failingSince'), <Moment at={failingSince} page={page} />],
          [
            t('dashboard:webhooks.url'),
            <code class="as-typed">
              <bdi>{url}</bdi>
            </code>,
          ],
          [
            t('dashboard:webhooks.types'),
            types.map((type) => (
              <span class="block">
                <code>{type}</code>
              </span>
            )),
          ],
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
      <div class="stack">
        {choices.map(({ path, label }) => (
          <ButtonTo path={webhookPath(id, path)} label={label} page={page} />
        ))}
      </div>
    </Card>
  );
};

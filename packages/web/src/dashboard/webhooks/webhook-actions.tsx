import type { JsonObject } from '@countersign/domain';
import {
  type Action,
  changeWebhook,
  createWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listWebhookAttempts,
  listWebhooks,
  type OfClient,
  type OnDelivery,
  type OnEndpoint,
  type OnSecret,
  pauseWebhook,
  removeWebhook,
  resendWebhook,
  resendWebhooksSince,
  resumeWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '@countersign/domain/actions';
import {
  type EndpointMove,
  type EndpointSettings,
  type EndpointSettingsChange,
  type EndpointWithSecret,
  isEndpointMovePossible,
  type ListedEndpoint,
  MAX_REPLACED_SECRETS,
  WEBHOOK_TYPES,
  type WebhookTest,
} from '@countersign/domain/webhooks';
import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { type ActionPage, actionPages, requireAction } from '../../actions/action-page.tsx';
import { CheckboxesField } from '../../forms/choice-fields.tsx';
import { Field, type FieldProps } from '../../forms/draw-field.tsx';
import { TextField } from '../../forms/text-fields.tsx';
import { StateBadge } from '../../parts/badge.tsx';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { listPage } from '../../staff/list-page.tsx';
import { answerShownOnce } from '../../staff/shown-once.tsx';
import { WEBHOOKS_PATH, webhookPath } from '../paths.ts';
import { answerTest, deliveryPage } from './delivery-page.tsx';
import { webhookList } from './webhook-list.tsx';
import { webhookPage } from './webhook-page.tsx';

/** The pages of a client's webhooks. */
export function webhookRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  const mount = actionPages(routes, site);
  routes.get('/', requireAction(listWebhooks), listPage(webhookList));
  mount(create);
  routes.get('/:endpointId', requireAction(getWebhook), webhookPage);
  mount(change);
  for (const page of MOVES) mount(page);
  mount(rotate);
  mount(remove);
  mount(test);
  mount(resendSince(site));
  routes.get('/:endpointId/deliveries/:eventId', requireAction(listWebhookAttempts), deliveryPage);
  mount(resend);
  return routes;
}

interface Used {
  readonly used: number;
  readonly limit: number;
}

const create: ActionPage<EndpointSettings & OfClient, EndpointWithSecret, Used> = {
  action: createWebhook,
  path: '/new',
  back: { path: WEBHOOKS_PATH, label: 'dashboard:nav.webhooks' },
  async load(context) {
    const { endpoints, limit } = await context.get('as').run(listWebhooks, {});
    return { used: endpoints.length, limit };
  },
  about: ({ used, limit }, { t }) => t('dashboard:webhooks.count', { used, limit }),
  initial: () => ({ types: [...WEBHOOK_TYPES] }),
  closed: ({ used, limit }, context) =>
    used < limit ? null : context.get('page').t('actions:outcomes.WEBHOOK_LIMIT_REACHED'),
  controls: { types: TypesField },
  done: answerSecret,
};

/** What the pages about one endpoint share. */
const aboutEndpoint: Pick<ActionPage<OnEndpoint, unknown, ListedEndpoint>, 'back' | 'load' | 'about'> = {
  back: ({ id }) => ({ path: webhookPath(id), label: 'dashboard:webhooks.backToOne' }),
  load: (context, { endpointId = '' }) => context.get('as').run(getWebhook, { endpointId }),
  about: ({ name, url, state }, page): Child => (
    <>
      <strong class="as-typed">
        <bdi>{name}</bdi>
      </strong>{' '}
      <code class="as-typed">
        <bdi>{url}</bdi>
      </code>{' '}
      <StateBadge of={`endpoint.${state}`} page={page} />
    </>
  ),
};

const change: ActionPage<OnEndpoint & EndpointSettingsChange, ListedEndpoint, ListedEndpoint> = {
  ...aboutEndpoint,
  action: changeWebhook,
  path: '/:endpointId/change',
  initial: ({ name, url, types }) => ({ name, url, types: [...types] }),
  // A field that was emptied is refused, not left as it was.
  complete: (typed): JsonObject => ({ name: '', url: '', ...typed }),
  controls: { name: RequiredField, url: RequiredField, types: TypesField },
  done: ({ id }) => resultAt(id, 'changed'),
};

const moves: Readonly<Record<EndpointMove, Action<OnEndpoint, ListedEndpoint>>> = {
  pause: pauseWebhook,
  resume: resumeWebhook,
  disable: disableWebhook,
  enable: enableWebhook,
};

const MOVES = (Object.keys(moves) as EndpointMove[]).map(
  (move): ActionPage<OnEndpoint, ListedEndpoint, ListedEndpoint> => ({
    ...aboutEndpoint,
    action: moves[move],
    path: `/:endpointId/${move}`,
    closed: ({ state }, context) =>
      isEndpointMovePossible(move, state)
        ? null
        : context.get('page').t('actions:outcomes.WEBHOOK_ENDPOINT_STATE'),
    ...(move === 'disable' && { isDangerous: true }),
    done: ({ id }) => resultAt(id, move),
  }),
);

/** The secret that the form was opened for, so that a form that is sent twice replaces one secret. */
const SECRET_VERSION = 'secretVersion';

const rotate: ActionPage<OnSecret, EndpointWithSecret, ListedEndpoint> = {
  ...aboutEndpoint,
  action: rotateWebhookSecret,
  path: '/:endpointId/secret',
  closed: ({ replacedSecretsUntil }, context) =>
    replacedSecretsUntil.length < MAX_REPLACED_SECRETS
      ? null
      : context.get('page').t('actions:outcomes.WEBHOOK_SECRETS_OVERLAP'),
  intro: ({ secretVersion }) => <input type="hidden" name={SECRET_VERSION} value={String(secretVersion)} />,
  complete: (typed, values): JsonObject => ({ ...typed, secretVersion: Number(values.text(SECRET_VERSION)) }),
  done: answerSecret,
};

const remove: ActionPage<OnEndpoint & { readonly name: string }, void, ListedEndpoint> = {
  ...aboutEndpoint,
  action: removeWebhook,
  path: '/:endpointId/remove',
  controls: { name: TypedNameField },
  isDangerous: true,
  done: () => `${WEBHOOKS_PATH}?done=removed`,
};

const test: ActionPage<OnEndpoint, WebhookTest, ListedEndpoint> = {
  ...aboutEndpoint,
  action: testWebhook,
  path: '/:endpointId/test',
  done: answerTest,
};

const DAY_MS = 24 * 60 * 60 * 1000;

const resendSince = ({
  options: { clock },
}: Site): ActionPage<OnEndpoint & { readonly since: string }, number, ListedEndpoint> => ({
  ...aboutEndpoint,
  action: resendWebhooksSince,
  path: '/:endpointId/resend',
  initial: () => ({ since: new Date(clock.now().getTime() - DAY_MS).toISOString() }),
  closed: ({ state }, context) =>
    state === 'disabled' ? context.get('page').t('actions:outcomes.WEBHOOK_ENDPOINT_STATE') : null,
  done: (count, context) =>
    resultAt(context.req.param('endpointId') ?? '', count === 0 ? 'noneResent' : 'resentSince'),
});

const resend: ActionPage<OnDelivery, number, ListedEndpoint> = {
  ...aboutEndpoint,
  action: resendWebhook,
  path: '/:endpointId/deliveries/:eventId/resend',
  async load(context, { endpointId = '', eventId = '' }) {
    const as = context.get('as');
    await as.run(listWebhookAttempts, { endpointId, eventId });
    return as.run(getWebhook, { endpointId });
  },
  closed: ({ state }, context) =>
    state === 'disabled' ? context.get('page').t('actions:outcomes.WEBHOOK_ENDPOINT_STATE') : null,
  done: (count, context) =>
    resultAt(context.req.param('endpointId') ?? '', count === 0 ? 'alreadyWaiting' : 'resent'),
};

/** Shows the secret of an endpoint, once. */
function answerSecret(
  { endpoint: { id, name, replacedSecretsUntil }, secret }: EndpointWithSecret,
  context: Parameters<typeof answerTest>[1],
): Response | Promise<Response> {
  const { t, href } = context.get('page');
  return answerShownOnce(
    context,
    {
      title: t('dashboard:webhooks.secret.title'),
      warning: { title: t('dashboard:webhooks.secret.onceTitle'), text: t('dashboard:webhooks.secret.onceText') },
      id: 'webhook-secret',
      label: t('dashboard:webhooks.secret.label', { name }),
      value: secret,
      back: { path: webhookPath(id), label: 'dashboard:webhooks.backToOne' },
    },
    <>
      {replacedSecretsUntil.length === 0 ? null : <p>{t('dashboard:webhooks.secret.overlap')}</p>}
      <div class="buttons">
        <a href={href(webhookPath(id, 'test'))} class="button">
          {t('dashboard:webhooks.test.link')}
        </a>
      </div>
    </>,
  );
}

/** Draws a setting that a command may leave out. The form contains each of them, so it does not call them optional. */
function RequiredField(props: FieldProps): Child {
  const { optional: _, ...field } = props.field;
  return <Field {...props} field={field} />;
}

/** Offers each type by its text and its name in the body. */
function TypesField({ form, texts, name }: FieldProps): Child {
  return (
    <CheckboxesField
      form={form}
      name={name}
      label={texts.label(name)}
      choices={WEBHOOK_TYPES.map((type) => ({
        value: type,
        label: texts.choice(name, type),
        hint: <code>{type}</code>,
      }))}
    />
  );
}

/** Asks for the name of the endpoint that is removed, so that no other one is removed by mistake. */
function TypedNameField(props: FieldProps & { readonly subject: ListedEndpoint }): Child {
  const { page, form, name, texts, subject } = props;
  const hint = page.t('dashboard:revoke.nameHint', { name: subject.name });
  return <TextField form={form} name={name} label={texts.label(name)} hint={hint} autocomplete="off" />;
}

type Done = 'changed' | EndpointMove | 'resent' | 'alreadyWaiting' | 'resentSince' | 'noneResent';

function resultAt(endpointId: string, done: Done): string {
  return `${webhookPath(endpointId)}?done=${done}`;
}

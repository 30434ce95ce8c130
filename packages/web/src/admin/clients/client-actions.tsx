import type { IssuedKey, JsonObject, JsonValue, KeyOverview, NewApiKey } from '@countersign/domain';
import {
  type ChangeSubscriptionInput,
  changeSubscription,
  createClient,
  getClient,
  getClientFlowSettings,
  issueFirstClientKey,
  listClientKeys,
  readRetentionPolicy,
  type SetRetentionPolicyInput,
  setClientFlowSettings,
  setReasonTemplates,
  setReturnAddresses,
} from '@countersign/domain/actions';
import {
  type Client,
  type ClientFlowSettings,
  type ClientWithSubscription,
  type ClientWithTwin,
  DEFAULT_MONTHLY_LIMIT,
  type FlowSettingsInput,
  type NewClient,
  PLANS,
  type Plan,
  type ReasonTemplatesInput,
  type Subscription,
} from '@countersign/domain/clients';
import { schemaOf } from '@countersign/domain/flows';
import type { ClientRetentionPolicy } from '@countersign/domain/retention';
import { Hono } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { type ActionPage, actionPages } from '../../actions/action-page.tsx';
import { flowSettingsForm } from '../../actions/flow-settings.tsx';
import { answerIssuedKey } from '../../actions/keys/issued-key-page.tsx';
import { PermissionsField, refusedNetworks, SUGGESTED_LIFETIME } from '../../actions/keys/key-parts.tsx';
import { reasonTemplatesForm } from '../../actions/reason-templates.tsx';
import { type PolicyOfClient, policyForm } from '../../actions/retention/policy.tsx';
import { mountReportPages } from '../../actions/retention/report-pages.tsx';
import { returnAddressForm } from '../../actions/return-address-page.tsx';
import { RadioField } from '../../forms/choice-fields.tsx';
import type { FieldProps } from '../../forms/draw-field.tsx';
import { fillFields } from '../../forms/form-answers.ts';
import type { FormValues } from '../../forms/form-values.ts';
import { DateField, dateIn, timestampIn } from '../../forms/text-fields.tsx';
import { Moment } from '../../parts/page-parts.tsx';
import { figure } from '../../site/formats.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { CLIENTS_PATH, clientPath } from '../paths.ts';
import { clientPage, clientReports, clientUsagePage } from './client-page.tsx';
import { endOfDay, lastDayOf } from './subscription-state.tsx';

/** The pages of one client: details, usage and what an operator does with it. */
export function clientRoutes(site: Site): Hono<StaffEnv> {
  const routes = new Hono<StaffEnv>();
  const mount = actionPages(routes, site);
  mount(create);
  routes.get('/:clientId', clientPage);
  routes.get('/:clientId/usage', clientUsagePage);
  mount(subscribe);
  mount(returnAddresses);
  mount(flowSettings);
  mount(reasonTemplates);
  mount(retention);
  mount(firstKey);
  mountReportPages(routes, '/:clientId/retention/report', clientReports);
  return routes;
}

const create: ActionPage<NewClient, ClientWithTwin & { readonly test: Client }> = {
  action: createClient,
  path: '/new',
  back: { path: CLIENTS_PATH, label: 'admin:nav.clients' },
  initial: () => ({ plan: 'standard' }),
  controls: { plan: (props) => <PlanField {...props} plans={[...PLANS, 'none']} /> },
  done: ({ client }) => resultAt(client.id, 'created'),
};

interface OnClient {
  readonly clientId: string;
}

/** What the pages about one client share. */
const aboutClient: Pick<ActionPage<OnClient, unknown, ClientWithSubscription>, 'back' | 'load' | 'about'> = {
  back: ({ client }) => ({ path: clientPath(client.id), label: 'admin:client.back' }),
  load: (context, { clientId = '' }) => context.get('as').run(getClient, { clientId }),
  about: ({ client }) => <ClientName name={client.name} />,
};

const returnAddresses: ActionPage<
  OnClient & { readonly returnAddresses: readonly string[] },
  Client,
  ClientWithSubscription
> = {
  ...aboutClient,
  ...returnAddressForm,
  action: setReturnAddresses,
  path: '/:clientId/return-addresses',
  done: ({ id }) => resultAt(id, 'returnAddresses'),
};

const reasonTemplates: ActionPage<OnClient & ReasonTemplatesInput, Client, ClientWithSubscription> = {
  ...aboutClient,
  ...reasonTemplatesForm,
  action: setReasonTemplates,
  path: '/:clientId/reason-templates',
  done: ({ id }) => resultAt(id, 'reasonTemplates'),
};

/** The flow settings of a client, with its name. */
interface FlowOfClient extends ClientFlowSettings {
  readonly clientName: string;
}

const flowSettings: ActionPage<OnClient & FlowSettingsInput, ClientFlowSettings, FlowOfClient> = {
  ...flowSettingsForm<FlowOfClient>(),
  action: setClientFlowSettings,
  path: '/:clientId/flow',
  back: ({ clientId }) => ({ path: clientPath(clientId), label: 'admin:client.back' }),
  async load(context, { clientId = '' }) {
    const { run } = context.get('as');
    const [{ client }, flow] = await Promise.all([
      run(getClient, { clientId }),
      run(getClientFlowSettings, { clientId }),
    ]);
    return { ...flow, clientName: client.name };
  },
  about: ({ clientName }) => <ClientName name={clientName} />,
  done: ({ clientId }) => resultAt(clientId, 'flow'),
};

const ClientName: FC<{ name: string }> = ({ name }) => (
  <strong class="as-typed">
    <bdi>{name}</bdi>
  </strong>
);

const retention: ActionPage<SetRetentionPolicyInput, ClientRetentionPolicy, PolicyOfClient> = {
  ...policyForm,
  path: '/:clientId/retention',
  back: ({ clientId }) => ({ path: clientPath(clientId), label: 'admin:client.back' }),
  async load(context, { clientId = '' }) {
    const { run } = context.get('as');
    const [{ client }, policy] = await Promise.all([
      run(getClient, { clientId }),
      run(readRetentionPolicy, { clientId }),
    ]);
    return { ...policy, clientName: client.name };
  },
  about: ({ clientName }) => <ClientName name={clientName} />,
  done: ({ clientId }) => resultAt(clientId, 'retention'),
};

/** A client and its keys. */
interface ClientWithKeys extends ClientWithSubscription {
  readonly keys: KeyOverview;
}

/** Creates a key for a client that has none. After that, its owners manage its keys. */
const firstKey: ActionPage<OnClient & NewApiKey, IssuedKey, ClientWithKeys> = {
  ...aboutClient,
  action: issueFirstClientKey,
  path: '/:clientId/first-key',
  async load(context, { clientId = '' }) {
    const { run } = context.get('as');
    const found = await run(getClient, { clientId });
    return { ...found, keys: await run(listClientKeys, { clientId }) };
  },
  initial: () => ({ expiresInDays: SUGGESTED_LIFETIME }),
  closed: ({ keys }, context) =>
    keys.active === 0
      ? null
      : context.get('page').t('actions:clients.create_first_api_key.outcomes.API_KEY_EXISTS'),
  controls: { permissions: PermissionsField },
  findings: refusedNetworks,
  done: (issued, context) =>
    answerIssuedKey(issued, context, {
      list: { path: clientPath(issued.key.clientId), label: 'admin:client.back' },
    }),
};

const SETTINGS = ['plan', 'monthlyLimit', 'status', 'endsAt'] as const;
type Setting = (typeof SETTINGS)[number];

/**
 * Changes only the settings that differ from what the form showed. Another operator may have set the others meanwhile,
 * and an end within a day would lose its time.
 */
const subscribe: ActionPage<ChangeSubscriptionInput, Subscription, ClientWithSubscription> = {
  ...aboutClient,
  action: changeSubscription,
  path: '/:clientId/subscription',
  intro: ({ subscription }, page) => (
    <p>
      {subscription === null ? (
        page.t('admin:client.noSubscription')
      ) : (
        <>
          {page.t('admin:client.since')}: <Moment at={subscription.startsAt} page={page} />
        </>
      )}
    </p>
  ),
  shows: SETTINGS,
  initial: ({ subscription }) => settingsIn(subscription),
  complete: changesIn,
  controls: {
    plan: (props) => (
      <>
        <PlanField {...props} plans={PLANS} />
        {SETTINGS.map((name) => (
          <input
            type="hidden"
            name={SHOWN + name}
            value={
              props.form.values.has(SHOWN + name)
                ? props.form.values.text(SHOWN + name)
                : shownText(name, settingsIn(props.subject.subscription)[name])
            }
          />
        ))}
      </>
    ),
    endsAt: LastDayField,
  },
  done: (_, context, { clientId: _id, ...changes }) =>
    resultAt(
      context.req.param('clientId') ?? '',
      Object.keys(changes).length === 0 ? 'unchanged' : 'subscription',
    ),
};

/** Prefix of the hidden fields that hold what the form showed. */
const SHOWN = 'shown.';

/** The settings of a subscription, without those that have no value; for the first one, those it usually has. */
function settingsIn(subscription: Subscription | null): JsonObject {
  if (subscription === null) return { status: 'active' };
  const { plan, status, monthlyLimit, endsAt } = subscription;
  return {
    plan,
    status,
    ...(monthlyLimit !== null && { monthlyLimit }),
    ...(endsAt !== null && { endsAt: endsAt.toISOString() }),
  };
}

/** Returns the settings that were changed. An empty limit returns to the plan's own, an empty day takes the end away. */
function changesIn(typed: JsonObject, values: FormValues): JsonObject {
  const day = dateIn(values, 'endsAt');
  const isChanged = (name: Setting, value: JsonValue | undefined): boolean =>
    !values.has(SHOWN + name) || values.text(SHOWN + name) !== textOf(value);
  const { plan = '', status = '', monthlyLimit } = typed;
  return {
    ...(isChanged('plan', plan) && { plan }),
    ...(isChanged('status', status) && { status }),
    ...(isChanged('monthlyLimit', monthlyLimit) &&
      (monthlyLimit === undefined ? { planLimit: true } : { monthlyLimit })),
    ...(isChanged('endsAt', day) &&
      (day === undefined ? { openEnded: true } : { endsAt: endOfDay(day)?.toISOString() ?? day })),
  };
}

function shownText(name: Setting, value: JsonValue | undefined): string {
  const text = textOf(value);
  return name === 'endsAt' && text !== '' ? lastDayOf(new Date(text)) : text;
}

function textOf(value: JsonValue = ''): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Draws the choice of a plan, with the limit of each. */
function PlanField({ plans, page, ...props }: FieldProps & { plans: readonly (Plan | 'none')[] }): Child {
  const { form, name, texts } = props;
  const limitOf = (plan: Plan | 'none'): string =>
    figure(plan === 'none' ? 0 : DEFAULT_MONTHLY_LIMIT[plan], page.language);
  return (
    <RadioField
      form={form}
      name={name}
      label={texts.label(name)}
      choices={plans.map((plan) => ({
        value: plan,
        label: texts.choice(name, plan),
        hint: page.t(`admin:planHint.${plan}`, { limit: limitOf(plan) }),
      }))}
    />
  );
}

const endSchema = schemaOf({ endsAt: { kind: 'timestamp' } });

/** Draws the end of a subscription as its last day. */
function LastDayField({ form, name, texts }: FieldProps): Child {
  const endsAt = timestampIn(form.values, name) ?? '';
  const field = { path: name, key: name, field: { kind: 'date' } } as const;
  // A form that was sent has the three fields of the day instead. Other text under this name is ignored.
  const values = endSchema.safeParse({ endsAt }).success
    ? fillFields([field], { [name]: lastDayOf(new Date(endsAt)) }, true)
    : form.values;
  return (
    <DateField form={{ ...form, values }} name={name} label={texts.label(name)} hint={texts.hint(name)} optional />
  );
}

function resultAt(
  clientId: string,
  done: 'created' | 'subscription' | 'unchanged' | 'returnAddresses' | 'reasonTemplates' | 'flow' | 'retention',
): string {
  return `${clientPath(clientId)}?done=${done}`;
}

import { readFileSync } from 'node:fs';
import {
  changeSubscription,
  createClient,
  getClient,
  getClientFlowSettings,
  listClients,
  readClientMonth,
  readClientUsage,
  readRetentionPolicy,
  setClientFlowSettings,
  setReasonTemplates,
  setRetentionPolicy,
  setReturnAddresses,
} from '@countersign/domain/actions';
import {
  type Client,
  type ClientFlowSettings,
  type ClientWithTwin,
  DECISION_TIMES,
  FLOW_SWITCHES,
  type FlowSettings,
  isSubscriptionActive,
  type Subscription,
  TEMPLATE_USES,
  type Usage,
} from '@countersign/domain/clients';
import {
  type ClientRetentionPolicy,
  RETENTION_PERIODS,
  type RetentionPeriod,
} from '@countersign/domain/retention';
import { InvalidArgumentError } from 'commander';
import { type ActionCommands, type CommandOption, optionName, type Printed } from './action-command.ts';
import { moment, orWord, wholeNumber } from './option-values.ts';
import { tableOf } from './terminal.ts';

/** Adds `client create`, `get`, `usage`, `retention`, `set-retention`, `flow`, `set-flow`, `set-templates` and `list`, and `subscription set`. */
export function addClientCommands({ add }: ActionCommands): void {
  add({
    name: 'client create',
    description: 'create a client and, unless its plan is none, an active subscription',
    action: createClient,
    async print(made, _, { run }) {
      const { client, subscription, test } = made;
      const about = subscription === null ? 'without a subscription' : `with a ${subscription.plan} subscription`;
      const usage = await run(readClientMonth, { clientId: client.id });
      return {
        json: clientView(made, usage),
        text: `Client ${client.id} (${client.name}), ${about}. Its test twin is ${test.id}`,
      };
    },
  });

  add({
    name: 'client return-addresses',
    description: 'replace the addresses to which subjects of a client may return',
    action: setReturnAddresses,
    options: {
      returnAddresses: {
        name: 'addresses',
        value: '<urls>',
        help: 'https:// addresses, separated by spaces; "" for none',
        parse: (text) => text.split(/\s+/).filter((address) => address !== ''),
      },
    },
    print: ({ id, name, returnAddresses }) => ({
      json: { id, name, returnAddresses },
      text: `Client ${id} (${name}): ${returnAddresses.length === 0 ? 'no return addresses' : returnAddresses.join(' ')}`,
    }),
  });

  add({ name: 'client get', description: 'show one client and its subscription', action: getClient });

  add({ name: 'client usage', description: 'show what a client used in each month', action: readClientUsage });

  add({ name: 'client month', description: 'show what a client used this month', action: readClientMonth });

  add({
    name: 'client retention',
    description: 'show how long the data of a client is kept, and the shortest times that are allowed',
    action: readRetentionPolicy,
    print: printRetention,
  });

  add({
    name: 'client set-retention',
    description: "replace a client's retention policy: give all periods, or --use-default",
    action: setRetentionPolicy,
    options: {
      ...Object.fromEntries(RETENTION_PERIODS.map((period) => [period, periodOption(period)])),
      useDefault: { help: "return to the installation's default policy" },
    },
    print: printRetention,
  });

  add({
    name: 'client flow',
    description: "show a client's flow settings: what its subjects are asked for, and what its pages say",
    action: getClientFlowSettings,
    print: printFlow,
  });

  add({
    name: 'client set-flow',
    description: "replace a client's flow settings; all options are required",
    action: setClientFlowSettings,
    options: FLOW_OPTIONS,
    input: ({ minimumAge, linkDays, decisionWithin, dueHours, ...given }) => ({
      ...given,
      ...(minimumAge !== DEFAULT && { minimumAge }),
      ...(linkDays !== DEFAULT && { linkDays }),
      ...(decisionWithin !== NOT_SHOWN && { decisionWithin }),
      ...(dueHours !== NOT_SHOWN && { dueHours }),
    }),
    print: printFlow,
  });

  add({
    name: 'client set-templates',
    description: "replace a client's message templates, which reviewers insert, by those in a file",
    action: setReasonTemplates,
    options: {
      ask: null,
      reject: null,
      file: {
        value: '<path>',
        help: 'JSON such as {"ask": [{"name": "Blurred", "en": "Please …", "de": "Bitte …"}], "reject": []}',
        isOptional: false,
      },
    },
    input: ({ file, ...given }) => ({ ...readObject(String(file)), ...given }),
    print: ({ id, name, reasonTemplates }) => ({
      json: { id, name, reasonTemplates },
      text: `Client ${id} (${name}): ${TEMPLATE_USES.map((use) => `${reasonTemplates[use].length} templates to ${use}`).join(', ')}`,
    }),
  });

  add({
    name: 'client list',
    description: 'list all clients, oldest first, with their subscription and usage this month',
    action: listClients,
    async print(clients, _, { run }) {
      const views = await Promise.all(
        clients.map(async (entry) => clientView(entry, await run(readClientMonth, { clientId: entry.client.id }))),
      );
      return { json: views, text: listText(views) };
    },
  });

  add({
    name: 'subscription set',
    description: 'change the given settings; a client without a subscription gets one, with --plan',
    action: changeSubscription,
    options: {
      monthlyLimit: {
        help: 'verifications a month, or "default" for the limit of the plan',
        parse: orWord('default', wholeNumber),
      },
      planLimit: null,
      endsAt: {
        help: 'first moment at which it no longer runs; a date is its midnight in UTC; or "never"',
        parse: orWord('never', moment),
      },
      openEnded: null,
    },
    input: ({ clientId, monthlyLimit, endsAt, ...given }) => {
      if (Object.keys(given).length === 0 && monthlyLimit === undefined && endsAt === undefined) {
        throw new InvalidArgumentError('nothing to set: give --plan, --monthly-limit, --status or --ends-at');
      }
      return {
        clientId,
        ...given,
        ...(monthlyLimit === 'default' ? { planLimit: true } : { monthlyLimit }),
        ...(endsAt === 'never' ? { openEnded: true } : endsAt instanceof Date && { endsAt: endsAt.toISOString() }),
      };
    },
    print(changed, { clientId }) {
      const { plan, monthlyLimit, endsAt } = changed;
      const end = endsAt === null ? '' : `, until ${endsAt.toISOString()}`;
      return {
        json: { clientId, ...changed },
        text: `Client ${clientId}: ${plan}, ${statusText(changed, new Date())}, ${monthlyLimit ?? 'default'} a month${end}`,
      };
    },
  });
}

/** Reads a file with one JSON object. @throws InvalidArgumentError */
function readObject(path: string): object {
  const content: unknown = parsed(readFileSync(path, 'utf8'));
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
  throw new InvalidArgumentError(`${path} does not contain a JSON object`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What each period of a policy counts. */
const PERIOD_HELP: Readonly<Record<RetentionPeriod, string>> = {
  approvedAfterEnd: 'approved verifications, after the end of the relationship',
  approvedLongest: 'approved verifications, after the approval in any case',
  rejected: 'rejected verifications, after the decision',
  unfinished: 'verifications that were withdrawn or expired',
  replacedUploads: 'uploads that were replaced',
};

function periodOption(period: RetentionPeriod): CommandOption {
  return { value: '<duration>', help: `${PERIOD_HELP[period]}, such as P5Y or P90D` };
}

function printRetention(retention: ClientRetentionPolicy): Printed {
  const { clientId, policy, isOwn, floor, timeZone } = retention;
  const head = `Client ${clientId}: ${isOwn ? 'its own policy' : 'the default policy'}, by days in ${timeZone}`;
  const periods = RETENTION_PERIODS.map((period) => [policy[period], PERIOD_HELP[period]]);
  const floors = Object.entries(floor).map(([outcome, period]) => `${outcome} ${period}`);
  const table = tableOf(['KEPT FOR', 'WHAT'], periods, '');
  return { json: retention, text: `${head}\n${table}\nShortest allowed: ${floors.join(', ')}` };
}

/** The word for a setting of the installation. */
const DEFAULT = 'default';
/** The word for a time that subjects are not shown. */
const NOT_SHOWN = 'none';

/** The settings that are on or off: options of their own kind. */
type FlagOf<T> = { [K in keyof T]: T[K] extends boolean ? K : never }[keyof T];

/** All options are required, so that none is reset by accident. */
const FLOW_OPTIONS: Readonly<Record<Exclude<keyof FlowSettings, FlagOf<FlowSettings>>, CommandOption>> = {
  minimumAge: {
    help: `minimum age of the subject of a KYC verification in full years, or "${DEFAULT}" for the installation's`,
    parse: orWord(DEFAULT, wholeNumber),
    isOptional: false,
  },
  linkDays: {
    help: `days that a link works from its issue, or "${DEFAULT}" for the installation's`,
    parse: orWord(DEFAULT, wholeNumber),
    isOptional: false,
  },
  decisionWithin: {
    help: 'usual time to a decision, which subjects see after they submit',
    choices: [...DECISION_TIMES, NOT_SHOWN],
    isOptional: false,
  },
  dueHours: {
    help: `hours from a submission to its decision, after which reviewers see the case as overdue, or "${NOT_SHOWN}"`,
    parse: orWord(NOT_SHOWN, wholeNumber),
    isOptional: false,
  },
};

function printFlow(flow: ClientFlowSettings): Printed {
  const { clientId, settings, rules } = flow;
  const ofInstallation = (value: number | null) => (value === null ? " (the installation's)" : '');
  const rows = [
    ...FLOW_SWITCHES.map((key) => [optionName(key), rules.asks[key] ? 'asked' : 'not asked']),
    [optionName('minimumAge'), `${rules.minimumAge} years${ofInstallation(settings.minimumAge)}`],
    [optionName('linkDays'), `${rules.linkDays} days${ofInstallation(settings.linkDays)}`],
    [optionName('decisionWithin'), settings.decisionWithin ?? 'not shown'],
    [optionName('readingIsAdvice'), settings.readingIsAdvice ? 'on' : 'off'],
    [optionName('familyNameIndex'), settings.familyNameIndex ? 'on' : 'off'],
    [optionName('warningsInDetails'), settings.warningsInDetails ? 'on' : 'off'],
    [optionName('dueHours'), settings.dueHours === null ? 'none' : `${settings.dueHours} hours`],
  ];
  return { json: flow, text: `Client ${clientId}:\n${tableOf(['SETTING', 'VALUE'], rows, '')}` };
}

interface ClientView extends Omit<Client, 'testOf'> {
  /** The id of its test twin; null if the client has none yet. */
  readonly testId: string | null;
  readonly subscription: Subscription | null;
  readonly usage: Omit<Usage, 'state'>;
}

function clientView(
  {
    client: { id, name, returnAddresses, fileAccess, flowSettings, reasonTemplates, createdAt },
    subscription,
    test,
  }: ClientWithTwin,
  { month, used, allowance }: Usage,
): ClientView {
  const settings = { testId: test?.id ?? null, returnAddresses, fileAccess, flowSettings, reasonTemplates };
  return { id, name, ...settings, createdAt, subscription, usage: { month, used, allowance } };
}

function listText(views: readonly ClientView[]): string {
  const now = new Date();
  const rows = views.map(({ id, name, testId, subscription, usage }) => [
    id,
    name,
    testId ?? '',
    subscription?.plan ?? 'none',
    subscription === null ? '' : statusText(subscription, now),
    subscription?.endsAt?.toISOString() ?? '',
    `${usage.used} of ${usage.allowance}`,
  ]);
  return tableOf(
    ['ID', 'NAME', 'TEST', 'PLAN', 'STATUS', 'ENDS', 'USED'],
    rows,
    'No clients yet: countersign client create',
  );
}

/** Names a subscription's status: `ended` for one that is active by its status, but after its end. */
function statusText(subscription: Subscription, now: Date): string {
  if (subscription.status !== 'active' || isSubscriptionActive(subscription, now)) return subscription.status;
  return 'ended';
}

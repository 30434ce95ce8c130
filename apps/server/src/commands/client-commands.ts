import {
  type Client,
  createClient,
  listClients,
  PLANS,
  type Plan,
  readClientUsage,
  type Subscription,
  switchSandbox,
  type Usage,
} from '@countersign/domain';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { administer, type CommandContext } from './command-context.ts';
import { wholeNumber } from './option-values.ts';
import { statusText } from './status-text.ts';
import { tableOf } from './table.ts';

interface CreateOptions {
  readonly name: string;
  readonly plan: Plan | 'none';
  readonly monthlyLimit?: number;
}

/** `client create`, `client sandbox` and `client list`. */
export function addClientCommands(program: Command, context: CommandContext): void {
  const client = program.command('client').description('make and list clients');

  client
    .command('create')
    .description('make a client and, unless its plan is none, an active subscription')
    .requiredOption('--name <name>', 'for people, 1 to 100 characters')
    .addOption(
      new Option('--plan <plan>', 'of the subscription').choices([...PLANS, 'none']).makeOptionMandatory(),
    )
    .option('--monthly-limit <n>', "verifications a month instead of the plan's own limit", wholeNumber)
    .action(async (options: CreateOptions) => {
      if (options.plan === 'none' && options.monthlyLimit !== undefined) {
        throw new InvalidArgumentError(
          "option '--monthly-limit <n>' belongs to a subscription, and plan none has none",
        );
      }
      await administer(context, async ({ run }) => {
        const { client, subscription } = await run(createClient, options);
        const about =
          subscription === null ? 'without a subscription' : `with a ${subscription.plan} subscription`;
        const usage = await run(readClientUsage, { clientId: client.id });
        context.answer(clientView(client, subscription, usage), `Client ${client.id} (${client.name}), ${about}`);
      });
    });

  client
    .command('sandbox')
    .description('make a client a sandbox, in which verifications may be driven without a person, or end that')
    .argument('<id>', 'the id of the client')
    .addArgument(new Argument('<switch>', 'on or off').choices(['on', 'off']))
    .action((id: string, position: 'on' | 'off') =>
      administer(context, async ({ run }) => {
        const { name, sandbox } = await run(switchSandbox, { clientId: id, sandbox: position === 'on' });
        context.answer({ id, name, sandbox }, `Client ${id} (${name}) is ${sandbox ? 'a sandbox' : 'no sandbox'}`);
      }),
    );

  client
    .command('list')
    .description('all clients, oldest first, with their subscription and what they used this month')
    .action(() =>
      administer(context, async ({ run }) => {
        const all = await run(listClients, {});
        const usages = await Promise.all(all.map(({ client }) => run(readClientUsage, { clientId: client.id })));
        const views = all.map(({ client, subscription }, index) =>
          clientView(client, subscription, usages[index] as Usage),
        );
        context.answer(views, listText(views));
      }),
    );
}

interface ClientView {
  readonly id: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly createdAt: Date;
  readonly subscription: Subscription | null;
  readonly usage: Usage;
}

function clientView(
  { id, name, sandbox, createdAt }: Client,
  subscription: Subscription | null,
  usage: Usage,
): ClientView {
  const { month, used, allowance } = usage;
  return { id, name, sandbox, createdAt, subscription, usage: { month, used, allowance } };
}

function listText(views: readonly ClientView[]): string {
  const now = new Date();
  const rows = views.map(({ id, name, sandbox, subscription, usage }) => [
    id,
    name,
    sandbox ? 'sandbox' : '',
    subscription?.plan ?? 'none',
    subscription === null ? '' : statusText(subscription, now),
    subscription?.endsAt?.toISOString() ?? '',
    `${usage.used} of ${usage.allowance}`,
  ]);
  return tableOf(
    ['ID', 'NAME', 'KIND', 'PLAN', 'STATUS', 'ENDS', 'USED'],
    rows,
    'No clients yet: countersign client create',
  );
}

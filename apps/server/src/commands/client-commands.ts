import type { Client, Plan, Subscription, Usage } from '@countersign/domain';
import { PLANS } from '@countersign/domain';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { administer, type CommandContext } from './command-context.ts';
import { wholeNumber } from './option-values.ts';
import { statusText } from './status-text.ts';
import { tableOf } from './table.ts';

interface CreateOptions {
  readonly name: string;
  readonly plan: Plan | 'none';
  readonly monthlyLimit?: number;
}

/** `client create` and `client list`. */
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
      await administer(context, async ({ clients }) => {
        const { client, subscription } = await clients.create(options);
        const about =
          subscription === null ? 'without a subscription' : `with a ${subscription.plan} subscription`;
        const usage = await clients.usage(client.id);
        context.answer(clientView(client, subscription, usage), `Client ${client.id} (${client.name}), ${about}`);
      });
    });

  client
    .command('list')
    .description('all clients, oldest first, with their subscription and what they used this month')
    .action(() =>
      administer(context, async ({ clients }) => {
        const all = await clients.list();
        const usages = await Promise.all(all.map(({ client }) => clients.usage(client.id)));
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
  readonly createdAt: Date;
  readonly subscription: Subscription | null;
  readonly usage: Usage;
}

function clientView({ id, name, createdAt }: Client, subscription: Subscription | null, usage: Usage): ClientView {
  return { id, name, createdAt, subscription, usage };
}

function listText(views: readonly ClientView[]): string {
  const now = new Date();
  const rows = views.map(({ id, name, subscription, usage }) => [
    id,
    name,
    subscription?.plan ?? 'none',
    subscription === null ? '' : statusText(subscription, now),
    subscription?.endsAt?.toISOString() ?? '',
    `${usage.used} of ${usage.allowance}`,
  ]);
  return tableOf(
    ['ID', 'NAME', 'PLAN', 'STATUS', 'ENDS', 'USED'],
    rows,
    'No clients yet: countersign client create',
  );
}

import {
  changeSubscription,
  PLANS,
  type Plan,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from '@countersign/domain';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { administer, type CommandContext } from './command-context.ts';
import { momentOrNever, wholeNumberOrDefault } from './option-values.ts';
import { statusText } from './status-text.ts';

interface SetOptions {
  readonly client: string;
  readonly plan?: Plan;
  readonly monthlyLimit?: number | 'default';
  readonly status?: SubscriptionStatus;
  readonly endsAt?: Date | 'never';
}

/** `subscription set`. */
export function addSubscriptionCommands(program: Command, context: CommandContext): void {
  const subscription = program.command('subscription').description("change a client's subscription");

  subscription
    .command('set')
    .description('set what is given and leave the rest; a client without a subscription gets one, with --plan')
    .requiredOption('--client <id>', 'whose subscription')
    .addOption(new Option('--plan <plan>', 'the plan').choices(PLANS))
    .option(
      '--monthly-limit <n>',
      'verifications a month, or "default" for the limit of the plan',
      wholeNumberOrDefault,
    )
    .addOption(new Option('--status <status>', 'whether it runs').choices(SUBSCRIPTION_STATUSES))
    .option(
      '--ends-at <time>',
      'the first moment at which it no longer runs; a date is its midnight in UTC; or "never"',
      momentOrNever,
    )
    .action(async ({ client, ...given }: SetOptions) => {
      if (Object.keys(given).length === 0) {
        throw new InvalidArgumentError('nothing to set: give --plan, --monthly-limit, --status or --ends-at');
      }
      const { plan, status, monthlyLimit, endsAt } = given;
      const settings = {
        plan,
        status,
        ...(monthlyLimit === 'default' ? { planLimit: true } : { monthlyLimit }),
        ...(endsAt === 'never' ? { openEnded: true } : { endsAt: endsAt?.toISOString() }),
      };
      await administer(context, async ({ run }) => {
        const changed = await run(changeSubscription, { clientId: client, ...settings });
        const end = changed.endsAt === null ? '' : `, until ${changed.endsAt.toISOString()}`;
        context.answer(
          { clientId: client, ...changed },
          `Client ${client}: ${changed.plan}, ${statusText(changed, new Date())}, ${changed.monthlyLimit ?? 'default'} a month${end}`,
        );
      });
    });
}

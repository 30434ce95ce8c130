import {
  type ChangeSubscriptionInput,
  changeSubscription as changeSubscriptionAction,
  getClient,
  isCountersignError,
  type SubscriptionSettings,
} from '@countersign/domain';
import type { Handler } from 'hono';
import { readForm } from '../../forms/form-body.ts';
import type { Site } from '../../site/site.ts';
import { noteBadInput } from '../../staff/bad-input.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { clientPath } from '../paths.ts';
import { answerClientPage } from './client-page.tsx';
import { readSettings } from './typed-settings.ts';
import { problemsOf } from './typed-subscription.ts';

/** Changes what was changed of the subscription, or begins the first one. */
export function changeSubscription(site: Site): Handler<StaffEnv, '/:id/subscription'> {
  const { now } = site.options.clock;
  return async (context) => {
    const page = context.get('page');
    const as = context.get('as');
    const values = await readForm(context);
    const found = await as.run(getClient, { clientId: context.req.param('id') });
    const { id } = found.client;
    const toClient = (done: 'subscription' | 'unchanged'): Response =>
      context.redirect(page.href(`${clientPath(id)}?done=${done}`), 303);
    const { settings, problems } = readSettings(values, page);
    if (settings === null) {
      await noteBadInput(as, { action: 'clients.change_subscription', clientId: id, targetId: id }, problems);
      return answerClientPage(context, site, found, { values, problems });
    }
    if (Object.keys(settings).length === 0) return toClient('unchanged');
    try {
      await as.run(changeSubscriptionAction, { clientId: id, ...inputOf(settings) });
    } catch (error) {
      if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
      const refused = problemsOf(error.data?.issues ?? [], page, found.subscription?.startsAt ?? now());
      return answerClientPage(context, site, found, { values, problems: refused });
    }
    return toClient('subscription');
  };
}

/** The settings as the action takes them: null becomes a flag, a moment becomes text. */
function inputOf({
  monthlyLimit,
  endsAt,
  ...settings
}: SubscriptionSettings): Omit<ChangeSubscriptionInput, 'clientId'> {
  return {
    ...settings,
    ...(monthlyLimit === null ? { planLimit: true } : { monthlyLimit }),
    ...(endsAt === null ? { openEnded: true } : { endsAt: endsAt?.toISOString() }),
  };
}

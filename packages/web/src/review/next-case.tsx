import {
  type ClaimNextInput,
  isCountersignError,
  SUBJECT_TYPES,
  type SubjectType,
  shortReference,
} from '@countersign/domain';
import { claimNextVerification } from '@countersign/domain/actions';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { Notice } from '../parts/blocks.tsx';
import { Icon } from '../parts/icon.tsx';
import { hasMessage, type MessageKey } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { loggedRequest } from '../site/paths.ts';
import { redirectTo, type StaffEnv } from '../staff/area.tsx';
import { NEXT_PATH, QUEUE_PATH, reviewPath } from './paths.ts';
import type { Done } from './typed.ts';

/** Filters of the queue that also choose the next case. The addresses of a case and of its forms carry them. */
const FILTERS = ['type', 'client', 'claim', 'only', 'tests'] as const;

/** Values of the filter that shows unusual cases alone. */
export const ONLY = ['warned', 'resubmitted'] as const;

/** Returns what the filter asks for. Unknown values are ignored, as in the queue. */
export function onlyInput(only: string | undefined): Pick<ClaimNextInput, (typeof ONLY)[number]> {
  return Object.fromEntries(ONLY.filter((known) => known === only).map((known) => [known, true]));
}

/** What became of a case, in the address of the page after it. */
const DONE = 'done';
const OF = 'of';

/**
 * Returns the query with the filters that the reviewer works with, with its `?`; empty without any.
 * @param more further values of the query
 */
export function workQuery({ req }: Pick<Context, 'req'>, more: Readonly<Record<string, string>> = {}): string {
  const filters = FILTERS.map((name): [string, string] => [name, req.query(name) ?? '']);
  const query = new URLSearchParams(filters.filter(([, value]) => value !== ''));
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** Unknown values are ignored, as in the queue. */
function claimInput({ req }: Pick<Context, 'req'>): ClaimNextInput {
  const type = SUBJECT_TYPES.find((known): known is SubjectType => known === req.query('type'));
  return {
    type,
    clientId: req.query('client') || undefined,
    ...onlyInput(req.query('only')),
    withTests: req.query('tests') === 'shown' || undefined,
    mine: req.query('claim') === 'mine' || undefined,
  };
}

/**
 * Claims the next case and redirects to it, or to the queue if none can be claimed, with a line about the case before it. A fault does
 * not hide that line.
 * @param before.ownFirst claims what the reviewer has claimed already, if there is any: a form that was sent twice has claimed one
 */
export async function toNextCase(
  context: Context<StaffEnv>,
  before: { readonly id: string; readonly result: Done | 'late'; readonly ownFirst?: true },
): Promise<Response> {
  const input = claimInput(context);
  const inputs = before.ownFirst ? [{ ...input, mine: true }, input] : [input];
  let path = QUEUE_PATH;
  try {
    path = await pathOfNext(context, inputs);
  } catch (error) {
    const { requestId } = context.get('page');
    if (!isCountersignError(error) || error.code === 'SERVICE_UNAVAILABLE')
      context.get('site').options.onFault(error, { requestId, ...loggedRequest(context) });
  }
  return redirectTo(context, path + workQuery(context, { [DONE]: before.result, [OF]: before.id }));
}

/** Claims the oldest case that matches and redirects to it; to the queue if there is none. */
export const startReviewing: Handler<StaffEnv> = async (context) =>
  redirectTo(context, (await pathOfNext(context, [claimInput(context)])) + workQuery(context));

async function pathOfNext(context: Context<StaffEnv>, inputs: readonly ClaimNextInput[]): Promise<string> {
  for (const input of inputs) {
    const claimed = await context.get('as').run(claimNextVerification, input);
    if (claimed !== null) return reviewPath(claimed.verificationId);
  }
  return QUEUE_PATH;
}

/** The button that claims the next case. @param props.query as `workQuery` returns it */
export const StartReviewing: FC<{ page: Page; query: string; label?: MessageKey }> = (props) => {
  const { page, query, label = 'review:queue.start' } = props;
  return (
    <form method="post" action={page.href(NEXT_PATH) + query}>
      <button type="submit">{page.t(label)}</button>
    </form>
  );
};

/** Says above a page what became of the case before it, with a link to it; nothing without one. */
export const CaseBefore: FC<{ context: Context<StaffEnv> }> = ({ context }) => {
  const page = context.get('page');
  const { t, href } = page;
  const [result = '', id = ''] = [context.req.query(DONE), context.req.query(OF)];
  const key = `review:before.${result}`;
  const reference = shortReference(id);
  if (reference === id || !/^\w+$/.test(result) || !hasMessage(key)) return null;
  return (
    <div class="case-before">
      <Notice tone={result === 'late' ? 'warn' : 'good'} role="status" tabindex={-1} autofocus data-result>
        <Icon page={page} name={result === 'late' ? 'triangle-alert' : 'check'} /> {t(key, { reference })} ·{' '}
        <a href={href(reviewPath(id)) + workQuery(context)}>{t('review:before.view')}</a>
      </Notice>
    </div>
  );
};

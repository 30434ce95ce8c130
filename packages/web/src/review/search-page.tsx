import { FOUND_CASES_MAX, type FoundCase, type FoundCases, isCountersignError } from '@countersign/domain';
import { searchCases } from '@countersign/domain/actions';
import type { Context, Handler } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { actionTexts } from '../actions/action-texts.ts';
import { ErrorSummary } from '../forms/field-parts.tsx';
import { createFormValues, type FormValues, readForm } from '../forms/form-values.ts';
import { keepForm, keptForm, statusOfKept } from '../forms/kept-form.ts';
import { Empty, Notice } from '../parts/blocks.tsx';
import { Table } from '../parts/table.tsx';
import type { Page } from '../site/page.ts';
import { answerStaffPage, type StaffEnv } from '../staff/area.tsx';
import { clientFilter } from '../staff/client-choice.tsx';
import { countInWords } from '../staff/list-page.tsx';
import { workQuery } from './next-case.tsx';
import { QUEUE_PATH } from './paths.ts';
import { queueColumns } from './queue-columns.tsx';
import { SEARCH, SearchBox } from './search-box.tsx';

const UNPROCESSABLE = 422;

/** Keeps what is searched for in a sealed cookie, and redirects to the page that searches: it can be reloaded and left by Back. */
export const startSearch: Handler<StaffEnv> = async (context) => {
  const values = await readForm(context);
  const kept = keepForm(context, context.get('site'), { values, errors: new Map() }, keptFor(context));
  return kept ?? answerSearch(context, values);
};

/** Searches again for what was last searched for, as long as it is kept; otherwise an empty search. */
export const searchPage: Handler<StaffEnv> = (context) => {
  const kept = keptForm(context, context.get('site'), keptFor(context));
  return answerSearch(context, kept?.values ?? createFormValues([]), kept === null);
};

const keptFor = (context: Context<StaffEnv>) => ({ owner: context.get('user').id, query: workQuery(context) });

async function answerSearch(context: Context<StaffEnv>, form: FormValues, isNew = false): Promise<Response> {
  const page = context.get('page');
  const { t } = page;
  const client = await manyClients(context, form.text(SEARCH.client));
  const { found, problems } = isNew ? NOTHING : await search(context, form, client?.lookup.value ?? '');
  const title = t('review:search.title');
  return answerStaffPage(
    context,
    {
      title,
      hasErrors: problems.size > 0,
      status: statusOfKept(context, problems.size > 0 ? UNPROCESSABLE : undefined),
      back: { path: QUEUE_PATH, label: 'review:case.back' },
    },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={problems} />
      <div class="list-head">
        <h1>{title}</h1>
        {found === null ? null : (
          <p class="count">
            {countInWords('review:queue.count', { count: found.items.length, isExact: !found.hasMore }, page)}
          </p>
        )}
      </div>
      {found === null ? null : <Incomplete page={page} clients={found.incompleteFor} />}
      <div class="list">
        <SearchBox
          page={page}
          query={workQuery(context)}
          values={{ query: form.text(SEARCH.query), birthDate: form.text(SEARCH.birthDate) }}
          problems={problems}
          client={client}
          isInList
        />
        {await Results({ context, found })}
      </div>
    </>,
  );
}

const NOTHING = { found: null, problems: new Map<string, string>() } as const;

/** Returns the choice of a client where there are too many to search all of them, else null. */
async function manyClients(context: Context<StaffEnv>, text: string) {
  const filter = await clientFilter(
    context,
    SEARCH.client,
    { label: context.get('page').t('review:queue.client') },
    text,
  );
  if (filter.lookup === undefined) return null;
  // Links to clients would lose what is searched for.
  const { matches: _, ...lookup } = filter.lookup;
  return { ...filter, lookup };
}

async function search(
  context: Context<StaffEnv>,
  form: FormValues,
  clientId: string,
): Promise<{ readonly found: FoundCases | null; readonly problems: ReadonlyMap<string, string> }> {
  try {
    const found = await context.get('as').run(searchCases, {
      query: form.text(SEARCH.query),
      birthDate: form.text(SEARCH.birthDate) || undefined,
      clientId: clientId || undefined,
    });
    return { found, problems: NOTHING.problems };
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    const texts = actionTexts(context.get('page').t, searchCases);
    const issues = error.data?.issues ?? [];
    return { found: null, problems: new Map(issues.map((issue) => [issue.path, texts.issue(issue.path, issue)])) };
  }
}

/** Names the clients whose cases can be missing; null if there are none. */
const Incomplete: FC<{ page: Page; clients: FoundCases['incompleteFor'] }> = ({ page: { t }, clients }) =>
  clients.length === 0 ? null : (
    <Notice tone="warn" title={t('review:search.incompleteTitle')}>
      <p>{t('review:search.incompleteFor')}</p>
      <ul>
        {clients.map(({ name }) => (
          <li>
            <bdi class="as-typed">{name}</bdi>
          </li>
        ))}
      </ul>
      <p>{t('review:search.incompleteInstead')}</p>
    </Notice>
  );

async function Results(props: {
  readonly context: Context<StaffEnv>;
  readonly found: FoundCases | null;
}): Promise<Child> {
  const { context, found } = props;
  const page = context.get('page');
  const { t } = page;
  if (found === null)
    return <Empty page={page} drawing="nothing" title={t('review:search.what')} text={t('review:search.exact')} />;
  const { items, hasMore } = found;
  if (items.length === 0)
    return <Empty page={page} drawing="nothing" title={t('review:search.none')} text={t('review:search.exact')} />;
  return (
    <>
      <Table rows={items} columns={await columnsOf(context, items)} class="queue" />
      {hasMore ? <p class="list-end quiet">{t('review:search.more', { count: FOUND_CASES_MAX })}</p> : null}
    </>
  );
}

function columnsOf(context: Context<StaffEnv>, items: readonly FoundCase[]) {
  const subjects = new Map(items.map(({ id, subject }) => [id, subject]));
  const decisions = new Map(items.flatMap(({ id, decision }) => (decision === null ? [] : [[id, decision]])));
  return queueColumns(context, items, subjects, decisions);
}

import { type Issue, isCountersignError } from '@countersign/domain';
import type { ActionEntry } from '@countersign/domain/actions';
import type { BoundedCount } from '@countersign/domain/clients';
import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { ErrorSummary } from '../forms/field-parts.tsx';
import { fieldId } from '../forms/form-state.ts';
import { Empty, TwoColumns } from '../parts/blocks.tsx';
import { Icon } from '../parts/icon.tsx';
import { BackLink, type Link, Result } from '../parts/page-parts.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { figure } from '../site/formats.ts';
import type { MessageKey, Translate } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { answerStaffPage, type StaffEnv } from './area.tsx';
import {
  type Filter,
  FilterBar,
  type FilterValues,
  filterValues,
  isFiltered,
  queryOf,
  unknownValues,
} from './filters.tsx';

/** The rows of one page of a list. */
export interface Found<T> {
  readonly rows: readonly T[];
  /** How many rows there are on all pages. Default: those of this page. */
  readonly total?: number;
  /** The number of rows in words, beside the title. */
  readonly count?: string;
  readonly pages?: Pages;
}

/** Pages that begin after a row, so that new rows do not move them. */
export interface Pages {
  readonly cursor: string;
  readonly next: string | number | null;
  /** The words of the links. Default: by time, the newest first. */
  readonly words?: { readonly first: MessageKey; readonly next: MessageKey; readonly end: MessageKey };
}

/** The words of pages in another order than by time. */
export const IN_ORDER = { first: 'staff:list.first', next: 'staff:list.next', end: 'staff:list.last' } as const;
const BY_TIME = { first: 'staff:list.newest', next: 'staff:list.older', end: 'staff:list.end' } as const;

/** A list with its filters and columns, as data. */
export interface ListPage<T> {
  readonly path: string;
  readonly title: MessageKey;
  /** Stands in the heading instead of the title: what the list belongs to, as users named it. */
  readonly name?: string;
  readonly back?: Link;
  /** Texts of results by `?done=`. */
  readonly results?: string;
  readonly intro?: (context: Context<StaffEnv>) => Child | Promise<Child>;
  /** A column beside the list. */
  readonly aside?: (context: Context<StaffEnv>) => Child;
  /** Stands below the list. */
  readonly end?: (context: Context<StaffEnv>) => Child;
  /** Links beside the title, for users who may run their action. The last one is the primary button. */
  readonly links?: readonly (Link & { readonly action: ActionEntry; readonly keepsFilters?: true })[];
  readonly filters?: (context: Context<StaffEnv>) => readonly Filter[] | Promise<readonly Filter[]>;
  readonly load: (context: Context<StaffEnv>, values: FilterValues) => Promise<Found<T>>;
  /** The filter that an issue is about, and the message. */
  readonly problem?: (issue: Issue, values: FilterValues, t: Translate) => readonly [name: string, text: string];
  readonly columns: (
    context: Context<StaffEnv>,
    rows: readonly T[],
  ) => readonly Column<T>[] | Promise<readonly Column<T>[]>;
  readonly class?: string;
  /** Texts of an empty list, and of one that no row matches. */
  readonly empty: { readonly title: MessageKey; readonly text?: MessageKey; readonly noMatch?: MessageKey };
  /** Stylesheets beside those of the area. */
  readonly styles?: readonly string[];
}

const BAD_REQUEST = 400;

/** Shows a list. An invalid filter lists nothing and says why. */
export function listPage<T>(list: ListPage<T>): (context: Context<StaffEnv>) => Promise<Response> {
  return async (context) => {
    const { t } = context.get('page');
    const filters = (await list.filters?.(context)) ?? [];
    const values = filterValues(filters, (name) => context.req.query(name));
    const unknown = unknownValues(filters, values);
    const { found, problems } =
      unknown.size > 0
        ? { found: null, problems: unknown }
        : await findWith(list, values, t, () => list.load(context, values));
    const hasErrors = problems.size > 0;
    // An empty list has the button that makes its first row.
    const offersFirst = found !== null && isEmptyList(found) && !isFiltered(filters, values);
    const shown = (
      <>
        {await list.intro?.(context)}
        {await Listed({ context, list, found, filters, values, problems })}
        {list.end?.(context)}
      </>
    );
    return answerStaffPage(
      context,
      {
        title: t(list.title),
        hasErrors,
        status: hasErrors ? BAD_REQUEST : 200,
        ...(list.styles !== undefined && { styles: list.styles }),
      },
      <>
        <ErrorSummary title={t('site:error.summary')} errors={problems} />
        {list.results === undefined ? null : <Result context={context} texts={list.results} />}
        {list.back === undefined ? null : <BackLink {...list.back} page={context.get('page')} />}
        <div class="list-head">
          <h1 class={list.name === undefined ? undefined : 'as-typed'}>
            <bdi>{list.name ?? t(list.title)}</bdi>
          </h1>
          {found?.count === undefined ? null : <p class="count">{found.count}</p>}
          <HeadLinks
            links={linksFor(context, list).filter(({ keepsFilters }) => keepsFilters || !offersFirst)}
            query={hasErrors ? '' : queryOf(filters, values)}
            page={context.get('page')}
          />
        </div>
        {list.aside === undefined ? shown : <TwoColumns aside={list.aside(context)}>{shown}</TwoColumns>}
      </>,
    );
  };
}

/** The rows with filters above and pages below them, or why there are none. */
async function Listed<T>(
  props: Props<T> & {
    found: Found<T> | null;
    filters: readonly Filter[];
    values: FilterValues;
    problems: ReadonlyMap<string, string>;
  },
): Promise<Child> {
  const { context, list, found, filters, values, problems } = props;
  const hasFilters = isFiltered(filters, values);
  // Such a list has other rows, which its filters lead to.
  const beginsFiltered = filters.some(({ initial }) => initial !== undefined);
  const isEmpty = found !== null && isEmptyList(found);
  return (
    <div class="list">
      {filters.length === 0 || (isEmpty && !hasFilters && !beginsFiltered) ? null : (
        <FilterBar page={context.get('page')} path={list.path} {...{ filters, values, problems }} />
      )}
      {found === null ? (
        <NotShown context={context} list={list} problems={problems} filters={filters} />
      ) : isEmpty ? (
        <EmptyList context={context} list={list} isFiltered={hasFilters} />
      ) : (
        <Table
          rows={found.rows}
          columns={await list.columns(context, found.rows)}
          {...(list.class !== undefined && { class: list.class })}
        />
      )}
      <PageLinks
        context={context}
        pages={found?.pages}
        address={(more) => list.path + queryOf(filters, values, more)}
      />
    </div>
  );
}

/** Runs a search, and turns its refusal of filters into messages. */
export async function findWith<T>(
  { problem }: { readonly problem?: ListPage<never>['problem'] },
  values: FilterValues,
  t: Translate,
  find: () => Promise<T>,
): Promise<{ readonly found: T | null; readonly problems: ReadonlyMap<string, string> }> {
  try {
    return { found: await find(), problems: new Map() };
  } catch (error) {
    if (problem === undefined || !isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    return {
      found: null,
      problems: new Map((error.data?.issues ?? []).map((issue) => problem(issue, values, t))),
    };
  }
}

/** Writes the number of rows of a list: `17 clients`, `More than 1,000 clients`. */
export function countInWords(
  text: MessageKey,
  { count, isExact }: BoundedCount,
  { t, language }: Pick<Page, 't' | 'language'>,
): string {
  const words = t(text, { count, number: figure(count, language) });
  return isExact ? words : t('staff:list.moreThan', { words });
}

type Props<T> = { readonly context: Context<StaffEnv>; readonly list: ListPage<T> };

function isEmptyList<T>({ total, rows }: Found<T>): boolean {
  return (total ?? rows.length) === 0;
}

const HeadLinks: FC<{ links: readonly ListLink[]; query: string; page: Page }> = ({ links, query, page }) =>
  links.length === 0 ? null : (
    <div class="buttons">
      {links.map((link) =>
        link.keepsFilters ? (
          <a href={page.href(link.path + query)} class="button secondary">
            {page.t(link.label)}
          </a>
        ) : (
          <PrimaryLink {...link} page={page} />
        ),
      )}
    </div>
  );

type ListLink = NonNullable<ListPage<never>['links']>[number];

function linksFor<T>(context: Context<StaffEnv>, { links = [] }: ListPage<T>): readonly ListLink[] {
  const { may } = context.get('as');
  return links.filter(({ action }) => may(action) !== 'no');
}

const PrimaryLink: FC<Link & { page: Page }> = ({ path, label, page }) => (
  <a href={page.href(path)} class="button">
    <Icon page={page} name="plus" />
    {page.t(label)}
  </a>
);

function EmptyList<T>({ context, list, isFiltered: hasFilters }: Props<T> & { isFiltered: boolean }): Child {
  const page = context.get('page');
  const { t } = page;
  const { title, text, noMatch } = list.empty;
  if (hasFilters && noMatch !== undefined) {
    return (
      <Empty page={page} drawing="nothing" title={t(noMatch)}>
        <ResetLink path={list.path} page={page} />
      </Empty>
    );
  }
  const first = linksFor(context, list).find(({ keepsFilters }) => !keepsFilters);
  return (
    <Empty page={page} drawing="nothing" title={t(title)} {...(text !== undefined && { text: t(text) })}>
      {first === undefined ? null : <PrimaryLink {...first} page={page} />}
    </Empty>
  );
}

const ResetLink: FC<{ path: string; page: Page }> = ({ path, page }) => (
  <a href={page.href(path)} class="button secondary">
    {page.t('site:filter.reset')}
  </a>
);

/** Says that nothing is listed until the filters are valid. A problem without a filter of its own leads here. */
function NotShown<T>(
  props: Props<T> & { filters: readonly Filter[]; problems: ReadonlyMap<string, string> },
): Child {
  const { context, list, filters, problems } = props;
  const page = context.get('page');
  const other = [...problems.keys()].find((name) => !filters.some((filter) => filter.name === name));
  return (
    <div id={other === undefined ? undefined : fieldId(other)} tabindex={-1}>
      <Empty page={page} drawing="nothing" title={page.t('staff:list.notShown')}>
        <ResetLink path={list.path} page={page} />
      </Empty>
    </div>
  );
}

const PageLinks: FC<{
  context: Context<StaffEnv>;
  pages: Pages | undefined;
  address: (more: FilterValues) => string;
}> = ({ context, pages, address }) => {
  const { t, href } = context.get('page');
  if (pages === undefined) return null;
  const { cursor, next, words = BY_TIME } = pages;
  const isFirst = !context.req.query(cursor);
  if (isFirst && next === null) return null;
  const link = (more: FilterValues, label: MessageKey, rel?: 'next') => (
    <a href={href(address(more))} rel={rel} class="button secondary">
      {t(label)}
    </a>
  );
  return (
    <nav class="pages" aria-label={t('staff:list.pages')}>
      {isFirst ? null : link({}, words.first)}
      {next === null ? (
        <span class="quiet">{t(words.end)}</span>
      ) : (
        link({ [cursor]: String(next) }, words.next, 'next')
      )}
    </nav>
  );
};

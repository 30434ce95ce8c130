import {
  type BrowsedVerification,
  type BrowseRequest,
  type Issue,
  STATUSES,
  type Status,
  SUBJECT_TYPES,
  type SubjectType,
} from '@countersign/domain';
import { createVerification, exportVerifications, listVerifications } from '@countersign/domain/actions';
import { VerificationBadge } from '../../parts/badge.tsx';
import { Ago } from '../../parts/page-parts.tsx';
import type { Translate } from '../../site/messages.ts';
import { ShortReference } from '../../site/short-reference.tsx';
import { referenceInWords } from '../../staff/data-state.tsx';
import { dayFilters, dayProblem, daysOf, short } from '../../staff/day-filters.ts';
import type { Filter, FilterValues } from '../../staff/filters.tsx';
import { countInWords, type ListPage } from '../../staff/list-page.tsx';
import { EXPORT_PATH, NEW_VERIFICATION_PATH, VERIFICATIONS_PATH, verificationPath } from '../paths.ts';

/** The client's verifications, newest first. */
export const verificationList: ListPage<BrowsedVerification> = {
  path: VERIFICATIONS_PATH,
  title: 'dashboard:verifications.title',
  links: [
    { path: EXPORT_PATH, label: 'dashboard:export.link', action: exportVerifications, keepsFilters: true },
    { path: NEW_VERIFICATION_PATH, label: 'dashboard:verifications.create', action: createVerification },
  ],
  empty: {
    title: 'dashboard:verifications.empty.title',
    text: 'dashboard:verifications.empty.text',
    noMatch: 'dashboard:verifications.empty.noMatch',
  },
  filters: (context) => verificationFilters(context.get('page').t),
  problem: problemOf,
  async load(context, values) {
    const after = context.req.query('after') || undefined;
    const found = await context.get('as').run(listVerifications, { ...requestOf(values), after });
    const { items, total, next } = found;
    return {
      rows: items,
      total: total.count,
      count: countInWords('dashboard:verifications.count', total, context.get('page')),
      pages: { cursor: 'after', next },
    };
  },
  columns(context) {
    const page = context.get('page');
    const { t, href } = page;
    const now = context.get('site').options.clock.now();
    return [
      {
        title: t('dashboard:verifications.reference'),
        isRowHeader: true,
        class: 'clip',
        cell: (verification) => (
          <a href={href(verificationPath(verification.id))} class="row-link as-typed">
            <bdi>{referenceInWords(verification, page)}</bdi>
          </a>
        ),
      },
      {
        title: t('dashboard:verifications.status'),
        class: 'status',
        cell: (verification) => <VerificationBadge of={verification} page={page} />,
      },
      {
        title: t('dashboard:verifications.type'),
        isClear: true,
        class: 'short',
        cell: ({ type }) => t(`wording:type.${type}`),
      },
      {
        title: t('dashboard:verifications.requested'),
        isClear: true,
        class: 'time',
        cell: ({ requestedAt }) => <Ago at={requestedAt} now={now} page={page} />,
      },
      {
        title: t('dashboard:verifications.progress'),
        hiddenOn: 'narrow',
        isClear: true,
        class: 'short',
        cell: ({ currentStep, totalSteps }) =>
          t('dashboard:verifications.stepsDone', { done: currentStep, total: totalSteps }),
      },
      {
        title: t('wording:shortReference.label'),
        hiddenOn: 'narrow',
        isClear: true,
        class: 'id',
        cell: ({ id }) => <ShortReference id={id} />,
      },
    ];
  },
};

/** The filters of the list and of its export. */
export function verificationFilters(t: Translate): readonly Filter[] {
  return [
    {
      name: 'status',
      label: t('dashboard:verifications.status'),
      asLinks: true,
      options: STATUSES.map((status) => [status, t(`wording:statusShort.${status}`)]),
    },
    // A reference may begin with a space. The name is that of addresses that users have bookmarked.
    { name: 'prefix', label: t('dashboard:verifications.filter.search'), isExact: true },
    {
      name: 'type',
      label: t('dashboard:verifications.type'),
      options: SUBJECT_TYPES.map((type) => [type, t(`wording:type.${type}`)]),
    },
    ...dayFilters({
      from: t('dashboard:verifications.filter.from'),
      until: t('dashboard:verifications.filter.until'),
    }),
  ];
}

/** Turns the filters into input of an action, which validates it. */
export function requestOf({ status, type, prefix, ...values }: FilterValues): BrowseRequest {
  return {
    status: (status || undefined) as Status | undefined,
    type: (type || undefined) as SubjectType | undefined,
    search: prefix || undefined,
    ...daysOf(values),
  };
}

/** Names the filter that an issue is about. Quotes its value, which a choice or a date control may not show. */
function problemOf(issue: Issue, values: FilterValues, t: Translate): readonly [name: string, text: string] {
  const { status = '', type = '' } = values;
  switch (issue.path) {
    case 'status':
      return ['status', t('dashboard:verifications.filter.badStatus', { status: short(status) })];
    case 'type':
      return ['type', t('dashboard:verifications.filter.badType', { type: short(type) })];
    case 'after':
      return ['after', t('dashboard:verifications.filter.badPosition')];
    default:
      return dayProblem(issue, values, t) ?? ['prefix', t('dashboard:verifications.filter.badSearch')];
  }
}

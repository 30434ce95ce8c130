import {
  type As,
  type AuditAction,
  type AuditEntry,
  isCountersignError,
  listAudit,
  listClients,
} from '@countersign/domain';
import type { Handler } from 'hono';
import type { FC } from 'hono/jsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { fieldId } from '../../forms/form-state.ts';
import type { Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerAdminPage } from '../admin-page.tsx';
import {
  type AuditFilterTexts,
  addressOf,
  auditActions,
  isFiltered,
  problemsOf,
  readFilter,
  requestOf,
} from './audit-filter.ts';
import { namesOfEntries } from './audit-names.ts';
import { AuditTable } from './audit-table.tsx';
import { FilterForm } from './filter-form.tsx';

const BAD_REQUEST = 400;

/** Who did what, the newest first. With a filter that makes no sense nothing is shown: not everything. */
export function auditPage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const page = context.get('page');
    const { t } = page;
    const as = context.get('as');
    const actions = auditActions(site);
    const filter = readFilter((name) => context.req.query(name));
    const before = context.req.query('before') || undefined;
    const [all, { found, problems }] = await Promise.all([
      as.run(listClients, {}),
      askWith(as, filter, before, { t, actions }),
    ]);
    const names = await namesOfEntries(found?.entries ?? [], site.options.signIn, all);
    const hasErrors = problems.size > 0;
    return answerAdminPage(
      context,
      site,
      { title: t('admin:audit.title'), hasErrors, status: hasErrors ? BAD_REQUEST : 200 },
      <>
        <ErrorSummary title={t('site:error.summary')} errors={problems} />
        <h1>{t('admin:audit.title')}</h1>
        <p>{t('admin:audit.intro')}</p>
        <HowToVerify page={page} />
        <FilterForm page={page} filter={filter} problems={problems} clients={all} actions={actions} />
        {found === null ? (
          <div class="empty" id={fieldId('before')} tabindex={-1}>
            <p>{t('admin:audit.notShown')}</p>
          </div>
        ) : found.entries.length === 0 ? (
          <div class="empty">
            <p>{t(isFiltered(filter) ? 'admin:audit.noMatch' : 'admin:audit.empty')}</p>
          </div>
        ) : (
          <AuditTable entries={found.entries} names={names} page={page} />
        )}
        {found === null ? null : (
          <Ways page={page} filter={filter} isFirst={before === undefined} next={found.next} />
        )}
      </>,
    );
  };
}

interface Found {
  readonly entries: readonly AuditEntry[];
  readonly next: number | null;
}

async function askWith(
  as: As,
  filter: AuditFilterTexts,
  before: string | undefined,
  texts: { readonly t: Translate; readonly actions: readonly AuditAction[] },
): Promise<{ readonly found: Found | null; readonly problems: ReadonlyMap<string, string> }> {
  const { request, problems } = requestOf(filter, before, texts);
  if (problems.size > 0) return { found: null, problems };
  try {
    return { found: await as.run(listAudit, request), problems: new Map() };
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    return { found: null, problems: problemsOf(error.data?.issues ?? [], texts.t) };
  }
}

const HowToVerify: FC<{ page: Page }> = ({ page: { t } }) => (
  <details>
    <summary>{t('admin:audit.verifyTitle')}</summary>
    <p>{t('admin:audit.verifyText')}</p>
    <pre>
      <code>countersign audit verify</code>
    </pre>
    <p>{t('admin:audit.verifyNoted')}</p>
    <pre>
      <code>countersign audit verify --noted 17:6b86b2…</code>
    </pre>
  </details>
);

/** Pages begin before a line, not at a number: what is written meanwhile moves nothing. */
const Ways: FC<{ page: Page; filter: AuditFilterTexts; isFirst: boolean; next: number | null }> = (props) => {
  const { page, filter, isFirst, next } = props;
  const { t, href } = page;
  if (isFirst && next === null) return null;
  return (
    <nav class="pages" aria-label={t('admin:pages.label')}>
      {isFirst ? null : <a href={href(addressOf(filter))}>{t('admin:audit.newest')}</a>}
      {next === null ? (
        <span class="quiet">{t('admin:audit.end')}</span>
      ) : (
        <a href={href(addressOf(filter, next))} rel="next">
          {t('admin:audit.older')}
        </a>
      )}
    </nav>
  );
};

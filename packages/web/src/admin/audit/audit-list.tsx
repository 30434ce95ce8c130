import { AUDIT_OUTCOMES, type AuditEntry } from '@countersign/domain';
import { auditActionsOf, listAudit, nameClients } from '@countersign/domain/actions';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { compareIn } from '../../site/formats.ts';
import type { Language } from '../../site/language.ts';
import { hasMessage, type MessageKey } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/area.tsx';
import { clientFilter } from '../../staff/client-choice.tsx';
import { dayFilters, dayProblem, daysOf } from '../../staff/day-filters.ts';
import type { Option } from '../../staff/filters.tsx';
import type { ListPage } from '../../staff/list-page.tsx';
import { userFilter } from '../../staff/user-filter.ts';
import { AUDIT_PATH } from '../paths.ts';
import { actionInWords, areaIn, auditColumns } from './audit-columns.tsx';

/** The audit log, newest entry first. */
export const auditList: ListPage<AuditEntry> = {
  path: AUDIT_PATH,
  title: 'admin:audit.title',
  intro: (context) => <Intro page={context.get('page')} />,
  empty: { title: 'admin:audit.empty', noMatch: 'admin:audit.noMatch' },
  async filters(context) {
    const { t } = context.get('page');
    return [
      await userFilter(context, 'actor', t('admin:audit.actor')),
      await clientFilter(context, 'client', { label: t('admin:audit.client') }),
      {
        name: 'action',
        label: t('admin:audit.action'),
        options: actionChoices(context),
        unknown: t('admin:audit.badAction'),
      },
      {
        name: 'outcome',
        label: t('admin:audit.outcome'),
        options: AUDIT_OUTCOMES.map((outcome) => [outcome, t(`admin:audit.outcomes.${outcome}`)]),
        unknown: t('admin:audit.badOutcome'),
      },
      ...dayFilters({ from: t('admin:audit.fromDay'), until: t('admin:audit.untilDay') }),
    ];
  },
  async load(context, { actor, client, action, outcome, ...values }) {
    const before = context.req.query('before');
    const { entries, next } = await context.get('as').run(listAudit, {
      actorId: actor || undefined,
      clientId: client || undefined,
      action: action || undefined,
      outcome: AUDIT_OUTCOMES.find((each) => each === outcome),
      ...daysOf(values),
      before: before ? Number(before) : undefined,
    });
    return { rows: entries, pages: { cursor: 'before', next } };
  },
  problem(issue, values, t) {
    const [name, text] = REFUSED[issue.path] ?? ['before', 'admin:audit.badBefore'];
    return dayProblem(issue, values, t) ?? [name, t(text)];
  },
  async columns(context, entries) {
    const clientIds = entries.flatMap(({ clientId }) => clientId ?? []);
    return auditColumns(context, entries, await context.get('as').run(nameClients, { clientIds }));
  },
};

/** The filter that an issue is about. */
const REFUSED: Readonly<Record<string, readonly [string, MessageKey]>> = {
  actorId: ['actor', 'admin:audit.badActor'],
  clientId: ['client', 'admin:audit.badClient'],
};

const KEPT = new WeakMap<Site, Map<Language, readonly Option[]>>();

/** The choices of actions in a language, made at the first use: sorting 150 of them by their words takes a while. */
function actionChoices(context: Context<StaffEnv>): readonly Option[] {
  const site = context.get('site');
  const { language } = context.get('page');
  const ofSite = KEPT.get(site) ?? new Map<Language, readonly Option[]>();
  KEPT.set(site, ofSite);
  const kept = ofSite.get(language) ?? sortedActions(site, context.get('page'));
  ofSite.set(language, kept);
  return kept;
}

/**
 * The actions that entries of this service can have, those of an installation's own catalogue included: in the order of their words, in
 * groups by what they are about.
 */
function sortedActions({ parts, options }: Site, { t, language }: Page): readonly Option[] {
  const compare = compareIn(language);
  const choices = auditActionsOf(parts, options.actions).map((action): [string, string, string] => {
    const group = `admin:audit.areas.${areaIn(action)}`;
    return [action, actionInWords(action, t), hasMessage(group) ? t(group) : t('admin:audit.otherArea')];
  });
  return choices.sort(
    ([, name, group], [, other, otherGroup]) => compare(group, otherGroup) || compare(name, other),
  );
}

const Intro: FC<{ page: Page }> = ({ page: { t } }) => (
  <>
    <p>{t('admin:audit.intro')}</p>
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
  </>
);

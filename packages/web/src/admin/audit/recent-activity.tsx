import type { AuditEntry } from '@countersign/domain';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { Card } from '../../parts/blocks.tsx';
import type { Link } from '../../parts/page-parts.tsx';
import { Table } from '../../parts/table.tsx';
import type { StaffEnv } from '../../staff/area.tsx';
import { auditColumns } from './audit-columns.tsx';

/** Lists the last audit entries about something, with a link to all of them. */
export async function RecentActivity(props: {
  readonly context: Context<StaffEnv>;
  readonly entries: readonly AuditEntry[];
  readonly clientNames: ReadonlyMap<string, string>;
  readonly all: Link;
  /** What the entries are about, as `auditColumns` has it. */
  readonly of: 'one user' | 'one client';
}): Promise<Child> {
  const { context, entries, clientNames, all, of } = props;
  const { t, href } = context.get('page');
  return (
    <Card
      id="audit"
      title={t('admin:client.audit')}
      class="with-table"
      more={<a href={href(all.path)}>{t(all.label)}</a>}
    >
      {entries.length === 0 ? (
        <p class="quiet">{t('admin:client.noAudit')}</p>
      ) : (
        <Table rows={entries} columns={await auditColumns(context, entries, clientNames, of)} />
      )}
    </Card>
  );
}

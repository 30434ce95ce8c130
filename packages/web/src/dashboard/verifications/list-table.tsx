import type { BrowsedVerification } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { type Column, Table } from '../../lists/table.tsx';
import type { Page } from '../../site/page.ts';
import { Moment } from '../../wording/moment.tsx';
import { verificationPath } from './paths.ts';
import { StatusInWords } from './status-in-words.tsx';

/** The client's verifications, one per row. */
export const VerificationTable: FC<{ items: readonly BrowsedVerification[]; page: Page }> = ({ items, page }) => {
  const { t, href } = page;
  const columns: readonly Column<BrowsedVerification>[] = [
    {
      title: t('dashboard:verifications.reference'),
      isRowHeader: true,
      cell: ({ id, subjectReference }) => (
        <a href={href(verificationPath(id))} class="as-typed">
          {subjectReference}
        </a>
      ),
    },
    {
      title: t('dashboard:verifications.status'),
      cell: ({ status }) => <StatusInWords status={status} page={page} />,
    },
    { title: t('dashboard:verifications.type'), cell: ({ type }) => t(`wording:type.${type}`) },
    {
      title: t('dashboard:verifications.requested'),
      cell: ({ requestedAt }) => <Moment at={requestedAt} page={page} />,
    },
    {
      title: t('dashboard:verifications.submitted'),
      cell: ({ submittedAt }) => <MomentOrNone at={submittedAt} page={page} />,
    },
    {
      title: t('dashboard:verifications.resolved'),
      cell: ({ resolvedAt }) => <MomentOrNone at={resolvedAt} page={page} />,
    },
    {
      title: t('dashboard:verifications.progress'),
      cell: ({ currentStep, totalSteps }) =>
        t('dashboard:verifications.stepsDone', { done: currentStep, total: totalSteps }),
    },
  ];
  return <Table columns={columns} rows={items} />;
};

const MomentOrNone: FC<{ at: Date | null; page: Page }> = ({ at, page }) =>
  at === null ? (
    <span class="quiet">{page.t('dashboard:verifications.notYet')}</span>
  ) : (
    <Moment at={at} page={page} />
  );

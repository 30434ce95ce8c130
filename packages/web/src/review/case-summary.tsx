import type { FC, PropsWithChildren } from 'hono/jsx';
import { Age, Moment } from '../staff/moment.tsx';
import { type CaseView, claimOf, mayDo } from './case-view.ts';
import { actPath } from './paths.ts';
import { FIELD } from './typed.ts';

/** Whose case it is, how it stands, and who works on it. */
export const CaseSummary: FC<{ view: CaseView }> = ({ view }) => {
  const { page, reviewCase, now } = view;
  const { t } = page;
  const { verification, clientName } = reviewCase;
  const { type, status, requestedAt, submittedAt } = verification;
  return (
    <>
      <dl class="facts">
        <Fact label={t('review:case.client')}>{clientName}</Fact>
        <Fact label={t('review:case.type')}>{t(`wording:type.${type}`)}</Fact>
        <Fact label={t('review:case.status')}>
          <span class={`badge status-${status}`}>{t(`wording:statusShort.${status}`)}</span>{' '}
          <span class="quiet">{t(`review:status.${status}`)}</span>
        </Fact>
        {status === 'submitted' ? (
          <Fact label={t('review:queue.waiting')}>
            <Age since={verification.submittedAt} now={now} page={page} />
          </Fact>
        ) : null}
        <Fact label={t('review:case.submitted')}>
          {submittedAt === null ? t('review:case.notSubmitted') : <Moment at={submittedAt} page={page} />}
        </Fact>
        <Fact label={t('review:case.created')}>
          <Moment at={requestedAt} page={page} />
        </Fact>
        {'resolvedAt' in verification ? (
          <Fact label={t('review:case.resolved')}>
            <Moment at={verification.resolvedAt} page={page} />
          </Fact>
        ) : null}
      </dl>
      {status === 'submitted' ? <ClaimLine view={view} /> : null}
    </>
  );
};

const Fact: FC<PropsWithChildren<{ label: string }>> = ({ label, children }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const ClaimLine: FC<{ view: CaseView }> = ({ view }) => {
  const { page, reviewCase, reviewer, names, now } = view;
  const { t, href } = page;
  const { id, version } = reviewCase.verification;
  const claim = claimOf(reviewCase);
  const holder = claim === null ? '' : names.of(claim.reviewerId);
  const mine = claim?.reviewerId === reviewer.id;
  const act = mayDo('claim', view) ? 'claim' : 'release';
  const label = act === 'claim' || mine ? t(`review:act.${act}`) : t('review:act.releaseOther', { name: holder });
  return (
    <form method="post" action={href(actPath(id, act))} class="claim-line">
      <input type="hidden" name={FIELD.version} value={String(version)} />
      <p>
        {claim === null
          ? t('review:case.unclaimed')
          : t(mine ? 'review:case.claimedByYou' : 'review:case.claimedBy', { name: holder })}{' '}
        {claim === null ? null : (
          <span class="quiet">
            (<Age since={claim.claimedAt} now={now} page={page} />)
          </span>
        )}
      </p>
      <button type="submit" class="secondary">
        {label}
      </button>
    </form>
  );
};

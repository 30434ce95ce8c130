import type { FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { actionPath, HAND_OVER } from './paths.ts';
import { type CaseHead, claimOf, mayDo } from './review-view.ts';
import { FIELD } from './typed.ts';

/** Claims the case, or releases the claim on it. */
export const ClaimButton: FC<{ view: CaseHead }> = ({ view }) => {
  const { page, reviewed, query } = view;
  const { t, href } = page;
  const { id, version } = reviewed.verification;
  const action = mayDo('claim', view) ? 'claim' : 'release';
  return (
    <form method="post" action={href(actionPath(id, action)) + query} class="claim">
      <input type="hidden" name={FIELD.version} value={String(version)} />
      <button type="submit" class="link-button">
        {t(`review:act.${action}`)}
      </button>
    </form>
  );
};

/** Names whose case it is, with a link to the page that hands it over. */
export const ClaimFact: FC<{ view: CaseHead }> = ({ view }) => {
  const { page, reviewed, query } = view;
  const { claim, holder } = claimIn(view);
  return (
    <>
      {claim === null ? page.t('review:queue.unclaimed') : <bdi>{holder}</bdi>}{' '}
      <a href={page.href(actionPath(reviewed.verification.id, HAND_OVER)) + query}>
        {page.t('review:act.handOver')}
      </a>
    </>
  );
};

/** Says in a word whose case it is. */
export const ClaimBadge: FC<{ view: CaseHead }> = ({ view }) => {
  const { page } = view;
  const { claim, holder, isOwn } = claimIn(view);
  return (
    <Badge tone={isOwn ? 'info' : 'idle'} icon="user" page={page}>
      {isOwn ? (
        page.t('review:case.yours')
      ) : claim === null ? (
        page.t('review:queue.unclaimed')
      ) : (
        <bdi>{holder}</bdi>
      )}
    </Badge>
  );
};

function claimIn({ reviewed, reviewer, names }: Pick<CaseHead, 'reviewed' | 'reviewer' | 'names'>) {
  const claim = claimOf(reviewed);
  return {
    claim,
    holder: claim === null ? '' : names.of(claim.reviewerId),
    isOwn: claim?.reviewerId === reviewer.id,
  };
}

import type { FC } from 'hono/jsx';
import { Badge } from '../parts/badge.tsx';
import { actionPath, HAND_OVER } from './paths.ts';
import { type CaseHead, claimOf, mayDo } from './review-view.ts';
import { FIELD } from './typed.ts';

/** Claims the case, or releases the claim on it, and links to the page that hands it over. */
export const ClaimButton: FC<{ view: CaseHead }> = ({ view }) => {
  const { page, reviewed, query } = view;
  const { t, href } = page;
  const { id, version } = reviewed.verification;
  const action = mayDo('claim', view) ? 'claim' : 'release';
  return (
    <form method="post" action={href(actionPath(id, action)) + query} class="claim">
      <a href={href(actionPath(id, HAND_OVER))} class="link-button">
        {t('review:act.handOver')}
      </a>
      <input type="hidden" name={FIELD.version} value={String(version)} />
      <button type="submit" class="link-button">
        {t(`review:act.${action}`)}
      </button>
    </form>
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

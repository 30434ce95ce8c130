import type { FC } from 'hono/jsx';
import { Notice } from '../parts/blocks.tsx';
import { momentInWords } from '../site/formats.ts';
import { AskedItems, Message, Reasons } from '../staff/reasons.tsx';
import { EventList } from './history.tsx';
import { StartReviewing } from './next-case.tsx';
import { type Conflict, claimOf, isHeldByOther, mayDo, type ReviewView, type Unsent } from './review-view.ts';
import { itemsOf, readTyped } from './typed.ts';

/** Shows what another reviewer changed meanwhile, and that the typed values are kept. */
export const ConflictNotice: FC<{ view: ReviewView; conflict: Conflict }> = ({ view, conflict }) => {
  const { page, reviewed, names, unsent, query } = view;
  const { t, language } = page;
  const { status } = reviewed.verification;
  const claim = claimOf(reviewed);
  return (
    <div class="error-summary" role="alert" tabindex={-1} autofocus data-result aria-labelledby="conflict-title">
      <h2 id="conflict-title">{t('review:conflict.title')}</h2>
      {claim !== null && isHeldByOther(view) ? (
        <p>
          {t('review:conflict.claimed', {
            name: names.of(claim.reviewerId),
            time: momentInWords(claim.claimedAt, language),
          })}
        </p>
      ) : null}
      {conflict.meanwhile.length === 0 ? null : (
        <>
          <p>{t('review:conflict.changed')}</p>
          <EventList events={conflict.meanwhile} names={names} page={page} />
        </>
      )}
      {conflict.code === 'ILLEGAL_TRANSITION' ? <p>{t('review:conflict.illegal')}</p> : null}
      {conflict.code === 'EVENT_LIMIT_REACHED' ? <p>{t('review:conflict.eventLimit')}</p> : null}
      <p>{t('review:conflict.status', { status: t(`wording:statusShort.${status}`) })}</p>
      {unsent === null ? null : <p>{t('review:conflict.kept')}</p>}
      {status === 'submitted' ? null : <StartReviewing page={page} query={query} label="review:queue.next" />}
    </div>
  );
};

/** Shows the typed values of a form that the page no longer has. */
export const TypedInVain: FC<{ view: ReviewView; unsent: Unsent }> = ({ view, unsent }) => {
  const { page, reviewed } = view;
  const { t } = page;
  if (mayDo(unsent.action, view)) return null;
  const typed = readTyped(unsent.values, unsent.action);
  const items = itemsOf(typed, reviewed.verification.flow);
  const isEmpty =
    typed.reasonCodes.length + items.length === 0 && typed.message === '' && typed.internalNote === '';
  if (isEmpty) return null;
  return (
    <Notice>
      <h2>{t('review:conflict.typed')}</h2>
      <p class="quiet">{t('review:conflict.typedHint')}</p>
      <Reasons codes={typed.reasonCodes} page={page} />
      <AskedItems items={items} page={page} />
      <Message label={t('review:act.message')} text={typed.message} />
      <Message label={t('review:act.internalNote')} text={typed.internalNote} />
    </Notice>
  );
};

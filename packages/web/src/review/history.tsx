import type { VerificationEvent } from '@countersign/domain';
import type { FC } from 'hono/jsx';
import { Moment, Section } from '../parts/page-parts.tsx';
import { hasMessage } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import type { Names } from '../staff/users.tsx';
import { reviewPath } from './paths.ts';
import type { ReviewView } from './review-view.ts';

/** Lists the latest events of the verification, newest first, with a link to all of them. */
export const History: FC<{ view: ReviewView }> = ({ view: { page, reviewed, names } }) => {
  const { verification, events } = reviewed;
  const count = verification.eventCount;
  return (
    <Section id="history" title={page.t('wording:case.history')}>
      <EventList events={events.toReversed()} names={names} page={page} />
      {events.length < count ? (
        <p>
          <a href={page.href(`${reviewPath(verification.id)}?${ALL_EVENTS}=true`)}>
            {page.t('review:case.allEvents', { count })}
          </a>
        </p>
      ) : null}
    </Section>
  );
};

/** The query parameter that shows every event. */
export const ALL_EVENTS = 'allEvents';

export const EventList: FC<{ events: readonly VerificationEvent[]; names: Names; page: Page }> = (props) => (
  <ul class="events">
    {props.events.map((event) => (
      <li>
        <EventLine event={event} names={props.names} page={props.page} />
      </li>
    ))}
  </ul>
);

const EventLine: FC<{ event: VerificationEvent; names: Names; page: Page }> = ({ event, names, page }) => {
  const { t } = page;
  const what = t(`wording:event.${event.type}`);
  const about = aboutOf(event, page);
  return (
    <>
      <Moment at={event.at} page={page} />{' '}
      <span>
        {t('wording:event.by', { what, who: names.ofActor(event.actor) })}
        {about === null ? null : <span class="quiet"> ({about})</span>}
      </span>
    </>
  );
};

/** Returns the name of the step or kind of file of an event. */
function aboutOf({ data: { step, kind } }: VerificationEvent, { t }: Page): string | null {
  const key =
    typeof kind === 'string' ? `wording:kind.${kind}` : typeof step === 'string' ? `wording:step.${step}` : '';
  return hasMessage(key) ? t(key) : null;
}

/** Lists internal notes, oldest first. */
export const Notes: FC<{ view: ReviewView }> = ({ view: { page, reviewed, names } }) => {
  const { internalNotes } = reviewed.verification;
  const { t } = page;
  return (
    <Section id="notes" title={t('review:case.notes')}>
      <p class="quiet">{t('review:case.notesHint')}</p>
      {internalNotes.length === 0 ? (
        <p>{t('review:case.noNotes')}</p>
      ) : (
        <ul class="notes">
          {internalNotes.map(({ text, reviewerId, writtenAt }) => (
            <li>
              <p class="quiet">
                <bdi>{names.of(reviewerId)}</bdi>, <Moment at={new Date(writtenAt)} page={page} />
              </p>
              <p class="as-typed">
                <bdi>{text}</bdi>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};

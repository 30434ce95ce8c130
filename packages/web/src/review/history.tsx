import type { EventType, VerificationEvent } from '@countersign/domain';
import { itemsAskedIn } from '@countersign/domain/exports';
import type { FC } from 'hono/jsx';
import { Timeline } from '../parts/blocks.tsx';
import type { IconName } from '../parts/icon.tsx';
import { Moment, Section } from '../parts/page-parts.tsx';
import { hasMessage } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import { withQuery } from '../staff/area.tsx';
import { askedLabel } from '../staff/reasons.tsx';
import type { Names } from '../staff/users.tsx';
import { reviewPath } from './paths.ts';
import type { ReviewView } from './review-view.ts';

/** More events are on the page only if they were asked for. */
const SHOWN_FIRST = 50;

/** Lists the latest events of the verification, newest first, with a link to all of them. */
export const History: FC<{ view: ReviewView }> = ({ view: { page, reviewed, names, query } }) => {
  const { verification, events } = reviewed;
  const count = verification.eventCount;
  return (
    <details class="case-fold" id="history" open={events.length > SHOWN_FIRST}>
      <summary>{page.t('wording:case.history')}</summary>
      <EventList events={events.toReversed()} names={names} page={page} />
      {events.length < count ? (
        <p>
          <a href={page.href(withQuery(`${reviewPath(verification.id)}?${ALL_EVENTS}=true`, query))}>
            {page.t('review:case.allEvents', { count })}
          </a>
        </p>
      ) : null}
    </details>
  );
};

/** Returns the event that ended the case; undefined while it is open. */
export function endingOf(events: readonly VerificationEvent[]): VerificationEvent | undefined {
  return events.findLast(({ type }) => ENDINGS.includes(type));
}

const ENDINGS: readonly EventType[] = [
  'verification.approved',
  'verification.rejected',
  'verification.withdrawn',
  'verification.expired',
];

/** The query parameter that shows every event. */
export const ALL_EVENTS = 'allEvents';

/** Lists events in the given order. */
export const EventList: FC<{ events: readonly VerificationEvent[]; names: Names; page: Page }> = (props) => {
  const { events, names, page } = props;
  const items = events.map((event) => ({
    icon: EVENT_ICONS[event.type],
    title: <EventLine event={event} names={names} page={page} />,
    text: <Moment at={event.at} page={page} />,
  }));
  return <Timeline page={page} items={items} />;
};

const EVENT_ICONS: Readonly<Record<EventType, IconName>> = {
  'verification.created': 'plus',
  'verification.file_attached': 'camera',
  'verification.step_completed': 'list',
  'verification.submitted': 'inbox',
  'verification.claimed': 'user',
  'verification.released': 'undo-2',
  'verification.noted': 'file-text',
  'verification.action_requested': 'undo-2',
  'verification.approved': 'check',
  'verification.rejected': 'x',
  'verification.withdrawn': 'ban',
  'verification.expired': 'clock',
  'verification.link_renewed': 'key',
  'verification.relationship_ended': 'clock',
  'verification.held': 'lock',
  'verification.hold_released': 'lock',
  'verification.erasure_requested': 'trash-2',
  'verification.data_erased': 'trash-2',
};

/** Says what happened and who did it. */
export const EventLine: FC<{ event: VerificationEvent; names: Names; page: Page }> = ({ event, names, page }) => {
  const { t } = page;
  const about = aboutOf(event, page);
  const receiver = receiverOf(event);
  const what =
    receiver === null
      ? t(`wording:event.${event.type}`)
      : t('review:history.handedOver', { name: names.of(receiver) });
  return (
    <>
      {t('wording:event.by', { what, who: names.ofActor(event.actor) })}
      {about === null ? null : <span class="quiet"> ({about})</span>}
    </>
  );
};

/** Returns the id of the reviewer to whom a case was handed over; null for other events. */
export function receiverOf({ type, data: { reviewerId } }: VerificationEvent): string | null {
  return type === 'verification.claimed' && typeof reviewerId === 'string' ? reviewerId : null;
}

/** Returns the name of the step or kind of file of an event, or what a request for action asks for. */
function aboutOf(event: VerificationEvent, { t }: Page): string | null {
  const asked = new Set(itemsAskedIn(event).map((item) => askedLabel(item, t)));
  if (asked.size > 0) return [...asked].join('; ');
  const { step, kind } = event.data;
  const key =
    typeof kind === 'string' ? `wording:kind.${kind}` : typeof step === 'string' ? `wording:step.${step}` : '';
  return hasMessage(key) ? t(key) : null;
}

/** Lists internal notes, oldest first. Nothing without one. */
export const Notes: FC<{ view: ReviewView }> = ({ view: { page, reviewed, names } }) => {
  const { internalNotes } = reviewed.verification;
  const { t } = page;
  return internalNotes.length === 0 ? null : (
    <Section id="notes" title={t('review:case.notes')}>
      <p class="quiet">{t('review:case.notesHint')}</p>
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
    </Section>
  );
};

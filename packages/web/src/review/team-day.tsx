import { readTeamDay } from '@countersign/domain/actions';
import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { figure, shortDurationInWords } from '../site/formats.ts';
import type { StaffEnv } from '../staff/area.tsx';
import { namesOf } from '../staff/users.tsx';
import type { Progress } from './review-view.ts';

/** Reads how far the reviewer is today; null if nothing waits and nothing was decided. */
export async function progressOf(context: Context<StaffEnv>): Promise<Progress | null> {
  const { waiting, decisions } = await context.get('as').run(readTeamDay, {});
  const { id } = context.get('user');
  const own = decisions.filter(({ reviewerId }) => reviewerId === id);
  const done = own.reduce((sum, { approved, rejected }) => sum + approved + rejected, 0);
  return done + waiting === 0 ? null : { done, total: done + waiting };
}

/** Shows what waits for the reviewers of all clients, and what they decided today. Nothing on an installation without both. */
export async function teamDay(context: Context<StaffEnv>): Promise<Child> {
  const { waiting, waitingSince, overdue, decided, medianMs, decisions } = await context
    .get('as')
    .run(readTeamDay, {});
  if (waiting === 0 && decided === 0) return null;
  const page = context.get('page');
  const { t, language } = page;
  const { signIn, clock } = context.get('site').options;
  const number = (count: number): string => figure(count, language);
  const names = await namesOf(
    decisions.map(({ reviewerId }) => reviewerId),
    signIn,
    t,
  );
  const byReviewer = decisions
    .map(({ reviewerId, ...counts }) => ({ name: names.of(reviewerId), ...counts }))
    .sort((a, b) => b.approved + b.rejected - a.approved - a.rejected);
  return (
    <section class="team-day" aria-label={t('review:day.title')}>
      <dl>
        <Figure label={t('review:day.waiting')} value={number(waiting)} />
        {waitingSince === null ? null : (
          <Figure
            label={t('review:day.oldest')}
            value={shortDurationInWords(clock.now().getTime() - waitingSince.getTime(), language)}
          />
        )}
        {overdue === 0 ? null : <Figure label={t('review:day.overdue')} value={number(overdue)} tone="bad" />}
        <Figure label={t('review:day.decided')} value={number(decided)} />
        {medianMs === null ? null : (
          <Figure label={t('review:day.median')} value={shortDurationInWords(medianMs, language)} />
        )}
      </dl>
      {byReviewer.length === 0 ? null : (
        <details>
          <summary>{t('review:day.byReviewer')}</summary>
          <ul>
            {byReviewer.map(({ name, approved, rejected }) => (
              <li>
                <bdi class="as-typed">{name}</bdi>{' '}
                <span class="quiet">
                  {t('review:day.decisions', { approved: number(approved), rejected: number(rejected) })}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const Figure: FC<{ label: string; value: string; tone?: 'bad' }> = ({ label, value, tone }) => (
  <div class={tone}>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

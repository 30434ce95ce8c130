import type { Issue, JsonObject } from '@countersign/domain';
import { type SetRetentionPolicyInput, setRetentionPolicy } from '@countersign/domain/actions';
import {
  type ClientRetentionPolicy,
  floorOf,
  isNoTime,
  parseDuration,
  periodsUnderFloor,
  RETENTION_PERIODS,
  type RetentionFloor,
  type RetentionPeriod,
} from '@countersign/domain/retention';
import type { Child, FC } from 'hono/jsx';
import type { FieldProps } from '../../forms/draw-field.tsx';
import type { FormValues } from '../../forms/form-values.ts';
import { TextField } from '../../forms/text-fields.tsx';
import { Notice } from '../../parts/blocks.tsx';
import { Table } from '../../parts/table.tsx';
import { periodInWords } from '../../site/formats.ts';
import type { Page } from '../../site/page.ts';
import type { ActionPage } from '../action-page.tsx';
import { actionTexts } from '../action-texts.ts';

/** Shows each period of a client's policy with its floor and the installation's default. */
export const PolicyTable: FC<{ policy: ClientRetentionPolicy; page: Page }> = ({ policy: found, page }) => {
  const { t, language } = page;
  const { policy, isOwn, defaultPolicy, floor, timeZone } = found;
  const texts = actionTexts(t, setRetentionPolicy);
  const least = (period: RetentionPeriod): Child => {
    const duration = leastOf(period, floor);
    return duration === null ? t('staff:policy.noFloor') : periodInWords(duration, language);
  };
  return (
    <>
      <p>{t(isOwn ? 'staff:policy.own' : 'staff:policy.default')}</p>
      <Table
        rows={RETENTION_PERIODS}
        label={t('staff:policy.title')}
        columns={[
          { title: t('staff:policy.what'), isRowHeader: true, cell: (period) => texts.label(period) },
          { title: t('staff:policy.keptFor'), cell: (period) => periodInWords(policy[period], language) },
          { title: t('staff:policy.atLeast'), cell: least },
          {
            title: t('staff:policy.byDefault'),
            hiddenOn: 'phone',
            cell: (period) => periodInWords(defaultPolicy[period], language),
          },
        ]}
      />
      {periodsUnderFloor(policy, floor).map(({ period, least: duration }) => (
        <Notice tone="warn">
          {t('staff:policy.underFloor', {
            label: texts.label(period),
            period: periodInWords(duration, language),
          })}
        </Notice>
      ))}
      <p class="quiet">{t('staff:policy.timeZone', { timeZone })}</p>
    </>
  );
};

/** A policy, with the name of its client. */
export interface PolicyOfClient extends ClientRetentionPolicy {
  readonly clientName: string;
}

/** The form that replaces a policy: a field for each period, and a box that returns to the default. */
export const policyForm: Pick<
  ActionPage<SetRetentionPolicyInput, ClientRetentionPolicy, PolicyOfClient>,
  'action' | 'initial' | 'complete' | 'controls' | 'findings'
> = {
  action: setRetentionPolicy,
  initial: ({ policy, isOwn }) => ({ ...policy, useDefault: !isOwn }),
  complete: withoutShownPeriods,
  controls: Object.fromEntries(RETENTION_PERIODS.map((period) => [period, PeriodField])),
  findings,
};

/**
 * Leaves out the periods that the form showed if the default is chosen. A period that was changed stays, so that it is refused.
 */
async function withoutShownPeriods(
  typed: JsonObject,
  _values: FormValues,
  subject: () => Promise<PolicyOfClient>,
): Promise<JsonObject> {
  const { useDefault, ...periods } = typed;
  if (useDefault !== true) return periods;
  const { policy, defaultPolicy } = await subject();
  const changed = RETENTION_PERIODS.filter(
    (period) => typed[period] !== policy[period] && typed[period] !== defaultPolicy[period],
  );
  return { useDefault, ...Object.fromEntries(changed.map((period) => [period, typed[period] ?? ''])) };
}

/** Returns the floor of a period; null if it is no time. */
function leastOf(period: RetentionPeriod, floor: RetentionFloor): string | null {
  const duration = floorOf(period, floor);
  const parsed = duration === null ? null : parseDuration(duration);
  return parsed === null || isNoTime(parsed) ? null : duration;
}

function PeriodField({ page, form, name, texts, subject }: FieldProps & { subject: PolicyOfClient }): Child {
  const { t, language } = page;
  const period = RETENTION_PERIODS.find((known) => known === name);
  const least = period === undefined ? null : leastOf(period, subject.floor);
  const initial = period === undefined ? '' : subject.defaultPolicy[period];
  const byDefault = t('staff:policy.hint.default', {
    period: periodInWords(initial, language),
    duration: initial,
  });
  const hint =
    least === null
      ? byDefault
      : `${t('staff:policy.hint.floor', { period: periodInWords(least, language), duration: least })} ${byDefault}`;
  return (
    <TextField form={form} name={name} label={texts.label(name)} hint={hint} size="small" autocomplete="off" />
  );
}

/** Words what is wrong with a period, by the code of its issue. */
function findings(issues: readonly Issue[], _values: FormValues, { t }: Page): ReadonlyMap<string, string> {
  const texts = actionTexts(t, setRetentionPolicy);
  const known: readonly string[] = RETENTION_PERIODS;
  return new Map(
    issues
      .filter(({ path }) => known.includes(path))
      .map(({ path, code }) => {
        const isKnown = code === 'too_small' || code === 'unknown_field';
        return [
          path,
          t(`staff:policy.issues.${isKnown ? code : 'invalid'}`, { label: texts.label(path) }),
        ] as const;
      }),
  );
}

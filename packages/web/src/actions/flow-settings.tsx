import { changeFlowSettings } from '@countersign/domain/actions';
import {
  type ClientFlowSettings,
  FLOW_SWITCHES,
  type FlowSettings,
  type FlowSettingsInput,
} from '@countersign/domain/clients';
import type { Child, FC } from 'hono/jsx';
import type { FieldProps } from '../forms/draw-field.tsx';
import { TextField } from '../forms/text-fields.tsx';
import { Facts } from '../parts/page-parts.tsx';
import type { Page } from '../site/page.ts';
import type { ActionPage } from './action-page.tsx';
import { actionTexts } from './action-texts.ts';

/** Shows a client's flow settings. */
export const FlowSettingsFacts: FC<{ flow: ClientFlowSettings; page: Page }> = ({ flow, page: { t } }) => {
  const { settings, rules } = flow;
  const texts = actionTexts(t, changeFlowSettings);
  const ofInstallation = (own: number | null, words: string): string =>
    own === null ? t('actions:flowSettings.byDefault', { value: words }) : words;
  return (
    <Facts
      items={[
        ...FLOW_SWITCHES.map((key): [string, string] => [
          texts.label(key),
          t(rules.asks[key] ? 'site:yes' : 'site:no'),
        ]),
        [
          texts.label('minimumAge'),
          ofInstallation(settings.minimumAge, t('actions:flowSettings.years', { count: rules.minimumAge })),
        ],
        [
          texts.label('linkDays'),
          ofInstallation(settings.linkDays, t('actions:flowSettings.days', { count: rules.linkDays })),
        ],
        [
          texts.label('decisionWithin'),
          settings.decisionWithin === null
            ? t('actions:noChoice.decisionWithin')
            : texts.choice('decisionWithin', settings.decisionWithin),
        ],
        [texts.label('readingIsAdvice'), t(settings.readingIsAdvice ? 'site:yes' : 'site:no')],
        [
          texts.label('dueHours'),
          settings.dueHours === null
            ? t('actions:flowSettings.noDueTime')
            : t('actions:flowSettings.hours', { count: settings.dueHours }),
        ],
        [texts.label('familyNameIndex'), t(settings.familyNameIndex ? 'site:yes' : 'site:no')],
        [texts.label('warningsInDetails'), t(settings.warningsInDetails ? 'site:yes' : 'site:no')],
      ]}
    />
  );
};

/** What the two pages for flow settings share: that of an owner, and that of an operator. */
export function flowSettingsForm<S extends ClientFlowSettings>(): Pick<
  ActionPage<FlowSettingsInput, ClientFlowSettings, S>,
  'controls' | 'initial'
> {
  return {
    initial: ({ settings }) => valuesOf(settings),
    controls: { minimumAge: NumberField, linkDays: NumberField, dueHours: NumberField },
  };
}

/** Returns the values of the settings that are set. */
function valuesOf({ minimumAge, linkDays, decisionWithin, dueHours, ...switches }: FlowSettings) {
  return {
    ...switches,
    ...(minimumAge !== null && { minimumAge }),
    ...(linkDays !== null && { linkDays }),
    ...(decisionWithin !== null && { decisionWithin }),
    ...(dueHours !== null && { dueHours }),
  };
}

/** Draws the field of a number, and says what applies while the field is empty. */
function NumberField({
  page: { t },
  form,
  name,
  texts,
  subject,
}: FieldProps & { subject: ClientFlowSettings }): Child {
  const { minimumAge, linkLifetimeDays } = subject.defaults;
  const hints: Readonly<Record<string, string>> = {
    minimumAge: t('actions:flowSettings.hint.years', { count: minimumAge }),
    linkDays: t('actions:flowSettings.hint.days', { count: linkLifetimeDays }),
    dueHours: t('actions:flowSettings.hint.dueHours'),
  };
  return (
    <TextField
      form={form}
      name={name}
      label={texts.label(name)}
      hint={hints[name]}
      size="small"
      inputmode="numeric"
      autocomplete="off"
      optional
    />
  );
}

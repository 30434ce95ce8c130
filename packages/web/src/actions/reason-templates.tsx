import type { JsonObject } from '@countersign/domain';
import { changeReasonTemplates } from '@countersign/domain/actions';
import {
  type Client,
  type ClientWithSubscription,
  type ReasonTemplate,
  type ReasonTemplatesInput,
  TEMPLATE_USES,
  type TemplateUse,
} from '@countersign/domain/clients';
import type { Child, FC } from 'hono/jsx';
import { Field, type FieldProps } from '../forms/draw-field.tsx';
import { Facts } from '../parts/page-parts.tsx';
import { isolated } from '../site/messages.ts';
import type { Page } from '../site/page.ts';
import type { ActionPage } from './action-page.tsx';
import { actionTexts } from './action-texts.ts';

/** Lists the names of a client's templates for each decision. */
export const ReasonTemplateNames: FC<{ client: Client; page: Page }> = ({
  client: { reasonTemplates },
  page: { t },
}) => {
  const texts = actionTexts(t, changeReasonTemplates);
  return (
    <Facts
      items={TEMPLATE_USES.map((use): [string, string] => {
        const names = reasonTemplates[use].map(({ name }) => isolated(name));
        return [texts.label(use), names.length === 0 ? t('actions:reasonTemplates.none') : names.join(' · ')];
      })}
    />
  );
};

/** The form of the pages for templates: of owners for their client, and of operators for any client. */
export const reasonTemplatesForm: Pick<
  ActionPage<ReasonTemplatesInput, Client, ClientWithSubscription>,
  'controls' | 'initial'
> = {
  initial: ({ client: { reasonTemplates } }) =>
    Object.fromEntries(TEMPLATE_USES.map((use) => [use, reasonTemplates[use].map(valuesOf)])),
  controls: { ask: (props) => sectionFor('ask', props), reject: (props) => sectionFor('reject', props) },
};

/** Returns the name of a template and the texts that it has. */
function valuesOf(template: ReasonTemplate): JsonObject {
  return Object.fromEntries(
    Object.entries(template).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** Draws the templates for a decision under a heading. */
function sectionFor(use: TemplateUse, props: FieldProps): Child {
  const { t } = props.page;
  return (
    <section aria-labelledby={`templates-${use}`}>
      <h2 id={`templates-${use}`}>{t(`actions:reasonTemplates.${use}`)}</h2>
      <p class="hint">{t('actions:reasonTemplates.limits')}</p>
      <Field {...props} />
    </section>
  );
}

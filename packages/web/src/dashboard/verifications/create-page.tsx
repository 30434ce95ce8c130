import { SANDBOX_OUTCOMES, SUBJECT_TYPES } from '@countersign/domain';
import type { Context } from 'hono';
import type { FC } from 'hono/jsx';
import { RadioField, SelectField } from '../../forms/choice-fields.tsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import type { FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import { TextArea, TextField } from '../../forms/text-field.tsx';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { NEW_VERIFICATION_PATH, USAGE_PATH, VERIFICATIONS_PATH } from '../paths.ts';
import type { CreateRefusal } from './create-refusal.ts';
import { verificationPath } from './paths.ts';

/** The form of a new verification. */
export interface CreateForm {
  /** Each form that is shown has one of its own: sent twice, it makes one verification. */
  readonly formId: string;
  readonly isSandbox: boolean;
  readonly values?: FormValues;
  readonly refusal?: CreateRefusal;
}

export function answerCreatePage(
  context: Context<StaffEnv>,
  site: Site,
  { formId, isSandbox, values, refusal }: CreateForm,
): Response | Promise<Response> {
  const page = context.get('page');
  const { t, href } = page;
  const form = formState(t, values, refusal?.problems);
  const title = t('dashboard:verifications.create');
  return answerDashboardPage(
    context,
    site,
    { title, status: refusal?.status ?? 200, hasErrors: refusal !== undefined },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={form.errors} />
      {refusal === undefined ? null : <Obstacle refusal={refusal} page={page} />}
      <h1>{title}</h1>
      <p>{t('dashboard:verifications.new.intro')}</p>
      <form method="post" action={href(NEW_VERIFICATION_PATH)} class="narrow-form">
        <input type="hidden" name="formId" value={formId} />
        <RadioField
          form={form}
          name="subjectType"
          label={t('dashboard:verifications.new.type')}
          choices={SUBJECT_TYPES.map((type) => ({ value: type, label: t(`wording:type.${type}`) }))}
        />
        <TextField
          form={form}
          name="subjectReference"
          label={t('dashboard:verifications.reference')}
          hint={t('dashboard:verifications.new.referenceHint')}
          autocomplete="off"
        />
        <TextArea
          form={form}
          name="metadata"
          label={t('dashboard:verifications.metadata.title')}
          hint={t('dashboard:verifications.new.metadataHint')}
          optional
          rows={5}
        />
        {isSandbox ? (
          <SelectField
            form={form}
            name="sandboxOutcome"
            label={t('dashboard:verifications.sandbox.label')}
            hint={t('dashboard:verifications.sandbox.hint')}
            optional
            choices={SANDBOX_OUTCOMES.map((outcome) => ({
              value: outcome,
              label: t(`wording:statusShort.${outcome}`),
            }))}
          />
        ) : null}
        <div class="buttons">
          <button type="submit">{t('dashboard:verifications.new.submit')}</button>
          <a href={href(VERIFICATIONS_PATH)}>{t('dashboard:verifications.new.cancel')}</a>
        </div>
      </form>
    </>,
  );
}

/** What stands in the way, with a way on where there is one. */
const Obstacle: FC<{ refusal: CreateRefusal; page: Page }> = ({ refusal, page: { t, href } }) => {
  const { obstacle, duplicateId } = refusal;
  if (obstacle !== null) {
    return (
      <div class="notice bad" role="alert" tabindex={-1} autofocus>
        <p>{t(`dashboard:verifications.obstacle.${obstacle}`)}</p>
        {obstacle === 'form_used' ? null : (
          <p>
            <a href={href(USAGE_PATH)}>{t('dashboard:verifications.obstacle.usage')}</a>
          </p>
        )}
      </div>
    );
  }
  return duplicateId === null ? null : (
    <p>
      <a href={href(verificationPath(duplicateId))}>{t('dashboard:verifications.new.openDuplicate')}</a>
    </p>
  );
};

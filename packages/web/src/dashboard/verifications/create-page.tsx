import {
  type CountersignError,
  createVerification as createVerificationAction,
  getOwnClient,
  type Issue,
  isCountersignError,
  SANDBOX_OUTCOMES,
  SUBJECT_TYPES,
} from '@countersign/domain';
import type { Context, Handler } from 'hono';
import type { FC } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { RadioField, SelectField } from '../../forms/choice-fields.tsx';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { readForm } from '../../forms/form-body.ts';
import type { FormValues } from '../../forms/form-values.ts';
import { formState } from '../../forms/form-words.ts';
import { TextArea, TextField } from '../../forms/text-field.tsx';
import { PageError } from '../../site/errors.tsx';
import type { Translate } from '../../site/messages.ts';
import type { Page } from '../../site/page.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerDashboardPage } from '../dashboard-page.tsx';
import { NEW_VERIFICATION_PATH, USAGE_PATH, VERIFICATIONS_PATH } from '../paths.ts';
import { namesOutcome, readMetadata, withSandboxOutcome } from './metadata-text.ts';
import { verificationPath } from './paths.ts';

/** The form of a new verification. */
interface CreateForm {
  /** Unique for each form shown: a form that is sent twice creates one verification. */
  readonly formId: string;
  readonly isSandbox: boolean;
  readonly values?: FormValues;
  readonly refusal?: CreateRefusal;
}

function answerCreatePage(
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

/** Explains the refusal, with a link to what helps. */
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

const FORM_ID_BYTES = 16;
const FORM_ID = /^[0-9a-f]{32}$/;

/** Shows an empty form. */
export function createPage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const { client } = await context.get('as').run(getOwnClient, {});
    return answerCreatePage(context, site, { formId: newFormId(site), isSandbox: client.sandbox });
  };
}

/** Creates a verification. A refusal shows the form again with everything that was typed. */
export function createVerification(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const { t, href } = context.get('page');
    const as = context.get('as');
    const values = await readForm(context);
    const formId = values.text('formId');
    const noteBad = (fields: string) =>
      as.recordRefusal({ action: 'verifications.create', detail: { code: 'INVALID_PARAMETERS', fields } });
    // The action refuses a role that may not run it, before anything else is checked.
    const may = as.may(createVerificationAction) !== 'no';
    if (may && !FORM_ID.test(formId)) {
      await noteBad('formId');
      throw new PageError(400);
    }

    const isSandbox = (await as.run(getOwnClient, {})).client.sandbox;
    const { value: typed, problem: metadataProblem } = readMetadata(values.text('metadata'), t);
    const outcome = isSandbox ? values.text('sandboxOutcome') : '';
    const answerAgain = (refusal: CreateRefusal) => {
      const isUsed = refusal.obstacle === 'form_used';
      return answerCreatePage(context, site, {
        formId: isUsed ? newFormId(site) : formId,
        isSandbox,
        values,
        refusal,
      });
    };

    if (may && outcome !== '' && namesOutcome(typed)) {
      const problems = new Map([['sandboxOutcome', t('dashboard:verifications.sandbox.twice')]]);
      await noteBad('sandboxOutcome');
      return answerAgain({ status: 422, problems, obstacle: null, duplicateId: null });
    }
    try {
      const metadata = withSandboxOutcome(typed, outcome);
      const { id } = await as.runUnchecked(createVerificationAction, {
        subjectType: values.text('subjectType'),
        subjectReference: values.text('subjectReference'),
        metadata: metadata === undefined ? undefined : JSON.stringify(metadata),
        idempotencyKey: `dashboard-form:${formId}`,
      });
      return context.redirect(href(`${verificationPath(id)}?done=created`), 303);
    } catch (error) {
      const refusal = createRefusalOf(error, metadataProblem, t);
      if (refusal === null) throw error;
      return answerAgain(refusal);
    }
  };
}

function newFormId({ options: { secrets } }: Site): string {
  return secrets.randomHex(FORM_ID_BYTES);
}

/** Why a verification was not created. */
interface CreateRefusal {
  readonly status: ContentfulStatusCode;
  /** Messages by the name of their field. */
  readonly problems: ReadonlyMap<string, string>;
  /** A refusal that no other input would avoid. */
  readonly obstacle: 'no_active_subscription' | 'limit_reached' | 'form_used' | null;
  /** The open verification with the same subject reference. */
  readonly duplicateId: string | null;
}

const UNPROCESSABLE = 422;
const FORBIDDEN = 403;
const CONFLICT = 409;

/** @returns null for an error that the form does not explain */
function createRefusalOf(error: unknown, metadataProblem: string | null, t: Translate): CreateRefusal | null {
  if (!isCountersignError(error)) return null;
  const none = { problems: new Map<string, string>(), obstacle: null, duplicateId: null };
  switch (error.code) {
    case 'INVALID_SUBJECT_TYPE':
    case 'MISSING_SUBJECT_REFERENCE':
    case 'INVALID_PARAMETERS':
      return { ...none, status: UNPROCESSABLE, problems: problemsOf(error, metadataProblem, t) };
    case 'NO_ACTIVE_SUBSCRIPTION':
      return { ...none, status: FORBIDDEN, obstacle: 'no_active_subscription' };
    case 'LIMIT_EXCEEDED':
      return { ...none, status: FORBIDDEN, obstacle: 'limit_reached' };
    case 'IDEMPOTENCY_KEY_REUSED':
      return { ...none, status: CONFLICT, obstacle: 'form_used' };
    case 'DUPLICATE_SUBJECT_REFERENCE': {
      const problems = new Map([['subjectReference', t('dashboard:verifications.new.duplicate')]]);
      return { ...none, status: CONFLICT, problems, duplicateId: error.data?.verificationId ?? null };
    }
    default:
      return null;
  }
}

/** Messages by field, in the order of the form, with the page's own finding about the metadata. */
function problemsOf(
  { data }: CountersignError,
  metadataProblem: string | null,
  t: Translate,
): ReadonlyMap<string, string> {
  const found = new Map((data?.issues ?? []).map((issue) => problemOf(issue, t)));
  if (metadataProblem !== null) found.set('metadata', metadataProblem);
  return new Map(FIELDS.flatMap((field) => (found.has(field) ? [[field, found.get(field) ?? '']] : [])));
}

const FIELDS = ['subjectType', 'subjectReference', 'metadata', 'sandboxOutcome'] as const;

function problemOf({ path }: Issue, t: Translate): [field: string, message: string] {
  switch (path) {
    case 'subjectType':
      return ['subjectType', t('dashboard:verifications.new.typeMissing')];
    case 'subjectReference':
      return ['subjectReference', t('dashboard:verifications.new.badReference')];
    case 'metadata':
      return ['metadata', t('dashboard:verifications.new.metadataTooLarge')];
    case 'metadata.sandboxOutcome':
      return ['metadata', t('dashboard:verifications.new.badOutcome')];
    default:
      return [
        'metadata',
        t('dashboard:verifications.new.badMetadataAt', { path: path.replace(/^metadata\./, '') }),
      ];
  }
}

import { createVerification as createVerificationAction, getOwnClient } from '@countersign/domain';
import type { Handler } from 'hono';
import { readForm } from '../../forms/form-body.ts';
import { PageError } from '../../site/page-error.ts';
import type { Site } from '../../site/site.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerCreatePage } from './create-page.tsx';
import { type CreateRefusal, createRefusalOf } from './create-refusal.ts';
import { namesOutcome, readMetadata, withSandboxOutcome } from './metadata-text.ts';
import { verificationPath } from './paths.ts';

const FORM_ID_BYTES = 16;
const FORM_ID = /^[0-9a-f]{32}$/;

/** An empty form. */
export function createPage(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const { client } = await context.get('as').run(getOwnClient, {});
    return answerCreatePage(context, site, { formId: newFormId(site), isSandbox: client.sandbox });
  };
}

/** Creates what was typed; what the domain refuses is said on the form, with everything that was typed. */
export function createVerification(site: Site): Handler<StaffEnv> {
  return async (context) => {
    const { t, href } = context.get('page');
    const as = context.get('as');
    const values = await readForm(context);
    const formId = values.text('formId');
    const noteBad = (fields: string) =>
      as.recordRefusal({ action: 'verifications.create', detail: { code: 'INVALID_PARAMETERS', fields } });
    // Whoever may not is refused by the desk, whatever else is wrong with the form.
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

import { isCountersignError, stepsOf } from '@countersign/domain';
import type { Context } from 'hono';
import { CheckboxField } from '../forms/choice-fields.tsx';
import { readForm } from '../forms/form-body.ts';
import { formState } from '../forms/form-words.ts';
import type { Site } from '../site/site.ts';
import { AnswerList } from './answer-list.tsx';
import { answerFlowPage, PageForm } from './flow-frame.tsx';
import type { VerifyEnv } from './verify-env.ts';
import { CHECK, isOpen, resumeSlug, stepsLeft, verifyPath } from './way.ts';

/** Lists every answer with a link to change it, and asks for the closing statement. */
export function showCheckPage(context: Context<VerifyEnv>): Response | Promise<Response> {
  const verification = context.get('verification');
  if (stepsLeft(verification).length > 0) {
    return context.redirect(context.get('page').href(verifyPath(verification, resumeSlug(verification))), 303);
  }
  return answerCheckPage(context, new Map());
}

/** Takes the closing statement, and hands everything in. A second time it only shows that it was. */
export async function takeCheckPage(context: Context<VerifyEnv>, { options }: Site): Promise<Response> {
  const { subject } = options.countersign;
  const access = context.get('access');
  const verification = context.get('verification');
  const { t, href } = context.get('page');
  const done = () => context.redirect(href(verifyPath(verification)), 303);
  if (verification.status === 'submitted') return done();
  if (stepsLeft(verification).length > 0) return showCheckPage(context);

  const form = await readForm(context);
  // A reviewer who asked for one step again did not ask for this one.
  const asksStatement = isOpen(verification, 'attestation');
  if (asksStatement && form.text('accepted') !== 'true') {
    return answerCheckPage(context, new Map([['accepted', t('verify:check.statementNeeded')]]));
  }
  try {
    if (asksStatement) await subject.completeStep(access, 'attestation', { accepted: true });
    await subject.submit(access);
  } catch (error) {
    // In two tabs at once: the other one was faster.
    if (!isCountersignError(error, 'ILLEGAL_TRANSITION')) throw error;
  }
  return done();
}

function answerCheckPage(
  context: Context<VerifyEnv>,
  errors: ReadonlyMap<string, string>,
): Response | Promise<Response> {
  const page = context.get('page');
  const verification = context.get('verification');
  const { t } = page;
  const asksStatement = isOpen(verification, 'attestation');
  return answerFlowPage(
    context,
    {
      title: t('verify:check.title'),
      step: 'attestation',
      slug: CHECK,
      errors,
      status: errors.size > 0 ? 422 : 200,
    },
    <>
      <p>{t('verify:check.text')}</p>
      {stepsOf(verification.type).map((step) => (
        <AnswerList page={page} verification={verification} step={step} />
      ))}
      <PageForm context={context} slug={CHECK}>
        {asksStatement ? (
          <CheckboxField
            form={formState(t, undefined, errors)}
            name="accepted"
            label={t('verify:check.statement')}
          />
        ) : null}
        <button type="submit">{t('verify:check.submit')}</button>
      </PageForm>
    </>,
  );
}

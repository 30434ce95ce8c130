import { isCountersignError, type JsonObject, type Verification } from '@countersign/domain';
import { openScreensOf, stepOf, stepsOf, withValueAt } from '@countersign/domain/flows';
import type { Context } from 'hono';
import { CheckboxField } from '../forms/choice-fields.tsx';
import { formState, type ReadValue } from '../forms/form-state.ts';
import { readForm } from '../forms/form-values.ts';
import { statusOfKept } from '../forms/kept-form.ts';
import type { Site } from '../site/site.ts';
import { AnswerList } from './answer-list.tsx';
import { addressOf, answerFlowPage, PageForm } from './flow-frame.tsx';
import { readOn } from './form-page.tsx';
import { keep, takeKept } from './kept.ts';
import { CHECK, isAnswerable, isOpen, requireAnswerable, resumeSlug, stepsLeft } from './navigation.ts';
import { shownIn, type VerifyEnv } from './session.ts';

/** Lists all answers with links to change them and asks for the closing statement. */
export function showCheckPage(context: Context<VerifyEnv>, site: Site): Response | Promise<Response> {
  const verification = context.get('verification');
  requireAnswerable(verification);
  if (stepsLeft(verification).length > 0) {
    return context.redirect(addressOf(context, resumeSlug(shownIn(context))), 303);
  }
  return answerCheckPage(context, site, takeKept(context, site)?.errors ?? new Map());
}

/** Takes the closing statement and submits. A second submission only shows the status. */
export async function takeCheckPage(context: Context<VerifyEnv>, site: Site): Promise<Response> {
  const { subject } = site.options.countersign;
  const access = context.get('access');
  const verification = context.get('verification');
  const { t } = context.get('page');
  const done = () => context.redirect(addressOf(context), 303);
  if (verification.status === 'submitted') return done();
  if (!isAnswerable(verification) || stepsLeft(verification).length > 0) return showCheckPage(context, site);

  const form = await readForm(context);
  // A request for action may leave the attestation closed.
  const asksStatement = isOpen(verification, 'attestation');
  const statements = statementsOf(verification);
  const missing = statements.filter((path) => form.text(path) !== 'true');
  if (asksStatement && missing.length > 0) {
    const errors = new Map(missing.map((path) => [path, t('verify:check.statementNeeded')]));
    return keep(context, site, { errors }) ?? answerCheckPage(context, site, errors);
  }
  const attestation = statements.reduce<JsonObject>((answers, path) => withValueAt(answers, path, true), {});
  try {
    if (asksStatement) await subject.completeStep(access, 'attestation', attestation);
    await subject.submit(access);
  } catch (error) {
    // Another tab submitted first.
    if (!isCountersignError(error, 'ILLEGAL_TRANSITION')) throw error;
  }
  return done();
}

/** Lists the paths of the statements that the subject confirms with the submission. */
function statementsOf({ flow }: Verification): readonly string[] {
  return Object.keys(stepOf(flow, 'attestation')?.fields ?? {});
}

async function answerCheckPage(
  context: Context<VerifyEnv>,
  site: Site,
  errors: ReadonlyMap<string, string>,
): Promise<Response> {
  const page = context.get('page');
  const verification = context.get('verification');
  const { t } = page;
  const asksStatement = isOpen(verification, 'attestation');
  const shown = shownIn(context);
  const read = new Map<string, ReadonlyMap<string, ReadValue>>();
  for (const screen of openScreensOf(verification, shown.asks)) {
    read.set(screen.slug, await readOn(context, site, screen));
  }
  return answerFlowPage(
    context,
    {
      title: t('verify:check.title'),
      steps: ['attestation'],
      slug: CHECK,
      errors,
      status: statusOfKept(context, errors.size > 0 ? 422 : 200),
    },
    <>
      <p>{t(verification.status === 'action_needed' ? 'verify:check.redo' : 'verify:check.text')}</p>
      {/* The button stays at the lower edge of a phone only along its form, so the form holds the answers too. */}
      <PageForm context={context} slug={CHECK}>
        {stepsOf(verification.flow).map((step) => (
          <AnswerList page={page} shown={shown} step={step} read={read} />
        ))}
        {asksStatement
          ? statementsOf(verification).map((path) => (
              <CheckboxField
                form={formState(t, undefined, errors)}
                name={path}
                label={t('verify:check.statement')}
              />
            ))
          : null}
        <div class="next">
          <button type="submit">{t('verify:check.submit')}</button>
        </div>
      </PageForm>
    </>,
  );
}

import { type Client, getClient, switchSandbox as switchSandboxAction } from '@countersign/domain';
import type { Context, Handler } from 'hono';
import { ErrorSummary } from '../../forms/error-summary.tsx';
import { readForm } from '../../forms/form-body.ts';
import { fieldId } from '../../forms/form-state.ts';
import type { Site } from '../../site/site.ts';
import { NO_PROBLEMS, noteBadInput, type Problems } from '../../staff/bad-input.ts';
import type { StaffEnv } from '../../staff/staff-env.ts';
import { answerAdminPage } from '../admin-page.tsx';
import { clientPath } from '../paths.ts';

type Sandbox = Handler<StaffEnv, '/:id/sandbox'>;

/** What the form asks for: a page that was open for long must not switch back what somebody else switched. */
const FIELD = 'sandbox';
const SWITCHES: Readonly<Record<string, boolean>> = { on: true, off: false };

/** Says what it means, and asks. */
export function sandboxPage(site: Site): Sandbox {
  return async (context) => {
    const { client } = await context.get('as').run(getClient, { clientId: context.req.param('id') });
    return answer(context, site, client, NO_PROBLEMS);
  };
}

export function switchSandbox(site: Site): Sandbox {
  return async (context) => {
    const { t, href } = context.get('page');
    const as = context.get('as');
    const values = await readForm(context);
    const { client } = await as.run(getClient, { clientId: context.req.param('id') });
    const wanted = values.text(FIELD);
    const sandbox = Object.hasOwn(SWITCHES, wanted) ? SWITCHES[wanted] : undefined;
    if (sandbox === undefined) {
      const problems = new Map([[FIELD, t('admin:sandbox.bad')]]);
      await noteBadInput(
        as,
        { action: 'clients.switch_sandbox', clientId: client.id, targetId: client.id },
        problems,
      );
      return answer(context, site, client, problems);
    }
    await as.run(switchSandboxAction, { clientId: client.id, sandbox });
    return context.redirect(href(`${clientPath(client.id)}?done=${sandbox ? 'sandboxOn' : 'sandboxOff'}`), 303);
  };
}

function answer(
  context: Context<StaffEnv>,
  site: Site,
  client: Client,
  problems: Problems,
): Response | Promise<Response> {
  const { t, href } = context.get('page');
  const title = t(client.sandbox ? 'admin:sandbox.offTitle' : 'admin:sandbox.onTitle');
  const hasErrors = problems.size > 0;
  return answerAdminPage(
    context,
    site,
    { title, width: 'narrow', hasErrors, status: hasErrors ? 422 : 200 },
    <>
      <ErrorSummary title={t('site:error.summary')} errors={problems} />
      <h1>{title}</h1>
      <p>
        <strong class="as-typed">{client.name}</strong>
      </p>
      {client.sandbox ? (
        <p>{t('admin:sandbox.offText')}</p>
      ) : (
        <>
          <p>
            {t('admin:sandbox.onText')} <code>metadata.sandboxOutcome</code>. {t('admin:sandbox.onOutcome')}
          </p>
          <p class="notice warn">
            <strong>{t('admin:sandbox.onNever')}</strong>
          </p>
        </>
      )}
      <form method="post" action={href(clientPath(client.id, 'sandbox'))} class="buttons">
        <button id={fieldId(FIELD)} type="submit" name={FIELD} value={client.sandbox ? 'off' : 'on'}>
          {t(client.sandbox ? 'admin:sandbox.offYes' : 'admin:sandbox.onYes')}
        </button>
        <a href={href(clientPath(client.id))}>{t('admin:client.back')}</a>
      </form>
    </>,
  );
}

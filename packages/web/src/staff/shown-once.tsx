import type { IssuedLink } from '@countersign/domain/staff';
import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { Notice } from '../parts/blocks.tsx';
import { COPY_SCRIPT, CopyField } from '../parts/copy.tsx';
import { type Link, Moment } from '../parts/page-parts.tsx';
import { answerStaffPage, redirectTo, type StaffEnv } from './area.tsx';

/** A secret value that only this page shows. */
interface Shown {
  readonly title: string;
  readonly warning: { readonly title: string; readonly text: string };
  /** Id of the field with the value. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  /** Shown below the value, such as until when it works. */
  readonly note?: Child;
  readonly back: Link;
  /** The path that a reload leads to. Default: the path of `back`. */
  readonly instead?: string;
}

/** Answers with a value that is shown once: no cache stores the page, and a reload does not repeat the form. */
export function answerShownOnce(
  context: Context<StaffEnv>,
  { title, warning, id, label, value, note, back, instead = back.path }: Shown,
  content: Child = null,
): Response | Promise<Response> {
  const page = context.get('page');
  return answerStaffPage(
    context,
    { title, back, scripts: [COPY_SCRIPT], reloadPath: instead, headers: { 'Cache-Control': 'no-store' } },
    <>
      <h1>{title}</h1>
      <div class="card narrow-form">
        <Notice tone="warn" title={warning.title}>
          <p>{warning.text}</p>
        </Notice>
        <CopyField page={page} id={id} label={label} value={value} />
        {note}
      </div>
      {content}
    </>,
  );
}

/** Shows a one-time link to pass on. Where the user receives it by e-mail, redirects to `mailed`. */
export function answerOneTimeLink(
  context: Context<StaffEnv>,
  { user, invitationPath, expiresAt }: IssuedLink,
  { back, mailed }: { readonly back: Link; readonly mailed: string },
): Response | Promise<Response> {
  if (invitationPath === null) return redirectTo(context, mailed);
  const page = context.get('page');
  const { t } = page;
  return answerShownOnce(context, {
    title: t('staff:link.title', { name: user.name }),
    warning: { title: t('staff:link.onceTitle'), text: t('staff:link.onceText', { email: user.email }) },
    id: 'one-time-link',
    label: t('staff:link.label'),
    value: context.get('site').options.publicBaseUrl + invitationPath,
    note: (
      <p>
        {t('staff:user.linkUntil')} <Moment at={expiresAt} page={page} />
      </p>
    ),
    back,
    instead: page.path,
  });
}

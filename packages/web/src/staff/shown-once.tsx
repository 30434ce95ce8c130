import type { IssuedLink } from '@countersign/domain/staff';
import type { Context } from 'hono';
import type { Child, FC } from 'hono/jsx';
import { Notice } from '../parts/blocks.tsx';
import { type Link, Moment } from '../parts/page-parts.tsx';
import type { Page } from '../site/page.ts';
import { answerStaffPage, redirectTo, type StaffEnv } from './area.tsx';

/** The script of the copy button. A page with a copy field lists it in its `scripts`. */
export const COPY_SCRIPT = 'copy.js';

/** Copies the field or element with this id, if JavaScript runs, and says so beside it. */
export const CopyButton: FC<{ page: Page; of: string; what: string }> = ({ page: { t }, of, what }) => (
  <>
    <button
      type="button"
      class="secondary"
      data-copy={of}
      data-copied={t('staff:copy.copied')}
      data-not-copied={t('staff:copy.notCopied')}
      aria-label={t('staff:copy.copyWhat', { what })}
      hidden
    >
      {t('staff:copy.copy')}
    </button>
    <span role="status" />
  </>
);

/** Shows an id on one line, as much of it as there is room for, with a button that copies all of it. */
export const CopyId: FC<{ page: Page; id: string; value: string; what: string }> = (props) => {
  const { page, id, value, what } = props;
  return (
    <span class="copy-line copy-id">
      <code id={id} title={value}>
        {value}
      </code>
      <CopyButton page={page} of={id} what={what} />
    </span>
  );
};

/** Shows a text to copy, with a copy button. */
export const CopyField: FC<{ page: Page; id: string; label: string; value: string }> = (props) => {
  const { page, id, label, value } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copy-line">
        <input id={id} type="text" value={value} readonly autocomplete="off" spellcheck={false} />
        <CopyButton page={page} of={id} what={label} />
      </div>
    </div>
  );
};

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

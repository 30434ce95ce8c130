import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

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

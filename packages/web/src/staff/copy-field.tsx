import type { FC } from 'hono/jsx';
import type { Page } from '../site/page.ts';

/** The script of the copy button. A page with a copy field lists it in its `scripts`. */
export const COPY_SCRIPT = 'copy.js';

/** Shows a text to copy, with a copy button if JavaScript runs. */
export const CopyField: FC<{ page: Page; id: string; label: string; value: string }> = (props) => {
  const { page, id, label, value } = props;
  const { t } = page;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copy-line">
        <input id={id} type="text" value={value} readonly autocomplete="off" spellcheck={false} />
        <button
          type="button"
          class="secondary"
          data-copy={id}
          data-copied={t('staff:copy.copied')}
          data-not-copied={t('staff:copy.notCopied')}
          aria-label={t('staff:copy.copyWhat', { what: label })}
          hidden
        >
          {t('staff:copy.copy')}
        </button>
        <span role="status" />
      </div>
    </div>
  );
};

// @ts-check
// Buttons that copy what a field holds. Without this they stay hidden: the field is there to be copied from by hand.

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (button instanceof HTMLButtonElement) startCopying(button);
}

/** @param {HTMLButtonElement} button names its field in `data-copy` and what to say in `data-copied` and `data-not-copied` */
function startCopying(button) {
  const field = document.getElementById(button.getAttribute('data-copy') ?? '');
  const status = button.parentElement?.querySelector('[role="status"]');
  if (!(field instanceof HTMLInputElement) || !(status instanceof HTMLElement)) return;
  button.hidden = false;

  button.addEventListener('click', () => {
    // Emptied first, so that a second copy is said again.
    status.textContent = '';
    void copy(field).then((done) => {
      status.textContent = button.getAttribute(done ? 'data-copied' : 'data-not-copied');
    });
  });
}

/**
 * @param {HTMLInputElement} field
 * @returns {Promise<boolean>} whether it was copied; if not, it is selected, so that one key copies it
 */
async function copy(field) {
  // There is no clipboard on pages without https, and a browser may refuse it.
  const written = window.isSecureContext
    ? await navigator.clipboard.writeText(field.value).then(
        () => true,
        () => false,
      )
    : false;
  if (written) return true;
  field.focus();
  field.select();
  return document.execCommand('copy');
}

// @ts-check
// Buttons that copy the value of a field or the items of a list. They are hidden until this runs: people can copy by
// hand.

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (button instanceof HTMLButtonElement) startCopying(button);
}

/** @param {HTMLButtonElement} button has the id of its field or list in `data-copy`, its messages in `data-copied` and `data-not-copied` */
function startCopying(button) {
  const field = document.getElementById(button.getAttribute('data-copy') ?? '');
  const status = button.parentElement?.querySelector('[role="status"]');
  if (field === null || !(status instanceof HTMLElement)) return;
  button.hidden = false;

  button.addEventListener('click', () => {
    // Emptied first, so that a screen reader announces a second copy.
    status.textContent = '';
    void copy(field).then((done) => {
      status.textContent = button.getAttribute(done ? 'data-copied' : 'data-not-copied');
    });
  });
}

/**
 * @param {HTMLElement} field
 * @returns {Promise<boolean>} whether it was copied; if not, it is selected
 */
async function copy(field) {
  const lines = [...field.children].map((child) => child.textContent.trim());
  const text = field instanceof HTMLInputElement ? field.value : lines.join('\n');
  // Pages without https have no clipboard, and a browser may refuse it.
  const written = window.isSecureContext
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
    : false;
  if (written) return true;
  // What is selected must be seen.
  field.closest('details')?.setAttribute('open', '');
  if (field instanceof HTMLInputElement) {
    field.focus();
    field.select();
  } else {
    getSelection()?.selectAllChildren(field);
  }
  return document.execCommand('copy');
}

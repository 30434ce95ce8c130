// @ts-check
// Buttons that copy the value of a field or the items of a list. They are hidden until this runs: people can copy by
// hand.

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (button instanceof HTMLButtonElement) startCopying(button);
}

/** @param {HTMLButtonElement} button has the id of its field or list in `data-copy`, its messages in `data-copied` and `data-not-copied` */
function startCopying(button) {
  const field = document.getElementById(button.dataset.copy ?? '');
  const status = button.parentElement?.querySelector('[role="status"]');
  if (!field || !status) return;
  button.hidden = false;

  button.addEventListener('click', () => {
    // Emptied first, so that a screen reader announces a second copy.
    status.textContent = '';
    void copy(field).then((done) => {
      status.textContent = button.dataset[done ? 'copied' : 'notCopied'] ?? '';
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
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https, or refused: copied as below.
  }
  // Selected text must be visible.
  field.closest('details')?.setAttribute('open', '');
  if (field instanceof HTMLInputElement) {
    field.focus();
    field.select();
  } else {
    getSelection()?.selectAllChildren(field);
  }
  return document.execCommand('copy');
}

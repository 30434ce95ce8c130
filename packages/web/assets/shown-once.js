// @ts-check
// A value that is shown once is the answer to a form. Changes the address, so that a reload does not post the form again
// and make another value. Without it, the browser asks before it posts again.

const shown = document.querySelector('[data-shown-once]');
if (shown !== null) history.replaceState(null, '', shown.getAttribute('data-shown-once'));

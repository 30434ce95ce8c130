// @ts-check
// What is shown once came as the answer to a form. A reload would send the form again and make another one: with this it
// asks for a page instead that only shows what is there. Without it the browser asks before it sends a form again.

const shown = document.querySelector('[data-shown-once]');
if (shown !== null) history.replaceState(null, '', shown.getAttribute('data-shown-once'));

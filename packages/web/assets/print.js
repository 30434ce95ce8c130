// @ts-check
// Buttons that print the page. They are hidden until this runs: browsers print without them.

for (const button of document.querySelectorAll('button[data-print]')) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

// @ts-check
// This page answers a form. Gives it the address of a page, so that neither a reload nor Back sends the form again. Without
// it, the browser asks before it does.

const { reload } = document.body.dataset;
if (reload !== undefined) history.replaceState(null, '', reload);

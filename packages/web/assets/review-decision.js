// @ts-check
// Decides a case in place: one form at a time, what follows from it before it is sent, and each form sent once. Without this script, the
// forms are ordinary ones, and the server shows what follows.

const OPEN = '.act[open]';
/** The key before a reason. */
const NUMBER = /^\s*\d+ · /;

export function startDecision() {
  document.addEventListener('submit', onSubmit);
  document.addEventListener('change', ({ target }) => target instanceof HTMLInputElement && markAsked(target));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && back()) event.preventDefault();
  });
  const ask = document.querySelector('#act-ask');
  ask?.addEventListener('toggle', () => ask.hasAttribute('open') && showBoxes());
  // Back leads to a page whose form may be sent again.
  addEventListener('pageshow', () => {
    for (const form of document.forms) delete form.dataset.sent;
  });
  for (const select of document.querySelectorAll('[data-insert-into]')) select.addEventListener('change', insert);
  for (const button of document.querySelectorAll('[data-insert]')) button.toggleAttribute('hidden', true);
  for (const link of document.querySelectorAll('[data-view]')) link.addEventListener('click', showView);
  addEventListener('hashchange', markView);
  markView();
}

/**
 * Opens a form, closes the others and focuses what comes first in it.
 * @param {HTMLDetailsElement} part
 */
export function open(part) {
  for (const other of document.querySelectorAll(OPEN)) if (other !== part) other.removeAttribute('open');
  part.open = true;
  if (part.id === 'act-ask') showBoxes();
  focusFirst(part);
}

/** Unfolds the steps whose rows have boxes. */
function showBoxes() {
  for (const fold of document.querySelectorAll('.case-fold:has(.ask-box)')) fold.setAttribute('open', '');
}

/**
 * Chooses a reason by its number in the open form.
 * @param {string} key
 */
export function pressInForm(key) {
  if (!/^[1-9]$/.test(key)) return false;
  const part = document.querySelector(OPEN);
  const box = part?.querySelectorAll('[name="reject.reasonCodes"]')[Number(key) - 1];
  if (box instanceof HTMLInputElement) {
    box.click();
    box.focus();
    return true;
  }
  const step = part?.querySelector('.step-to-ask.is-last') ?? part?.querySelector('.step-to-ask.is-asked');
  const select = step?.querySelector('select');
  if (!select) return false;
  select.selectedIndex = Number(key);
  // The focus stays at the box, where Enter continues: at a select, it opens the list.
  select.scrollIntoView({ block: 'nearest' });
  return true;
}

/** @param {Element} part */
function focusFirst(part) {
  const boxes = part.id === 'act-ask' ? [...document.querySelectorAll('.ask-box')] : [];
  const all = [...boxes, ...part.querySelectorAll('input:not([type=hidden]), textarea, select, form button')];
  const first = all.find((each) => each.checkVisibility());
  // The foot is in sight already.
  if (first instanceof HTMLElement) first.focus({ preventScroll: part.contains(first) });
}

/** @param {SubmitEvent} event */
function onSubmit(event) {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement) || form.method !== 'post') return;
  const confirm = form.querySelector('[data-confirm]');
  if (confirm instanceof HTMLElement && submitter?.hasAttribute('data-no')) {
    event.preventDefault();
    turn(form, false);
  } else if (confirm instanceof HTMLElement && confirm.hidden && preview(form)) {
    event.preventDefault();
    turn(form, true);
  } else if (form.dataset.sent === 'true') event.preventDefault();
  else form.dataset.sent = 'true';
}

/**
 * Shows what follows from a form, or its fields again.
 * @param {Element} form
 * @param {boolean} toConfirm
 */
function turn(form, toConfirm) {
  form.querySelector('[data-fields]')?.toggleAttribute('hidden', toConfirm);
  form.querySelector('[data-confirm]')?.toggleAttribute('hidden', !toConfirm);
  const yes = form.querySelector('[data-yes]');
  if (toConfirm && yes instanceof HTMLElement) yes.focus({ preventScroll: true });
  else focusFirst(form.parentElement ?? form);
}

/** Goes back from the confirmation to the fields, then to the buttons. */
function back() {
  const part = document.querySelector(OPEN);
  if (part === null || document.querySelector('dialog[open]') !== null) return false;
  const confirm = part.querySelector('[data-confirm]:not([hidden])');
  if (confirm !== null) turn(part, false);
  else {
    part.removeAttribute('open');
    part.querySelector('summary')?.focus();
  }
  return true;
}

/**
 * Adds the text of the chosen template to the message, in place of another template's text at its end, as templates.tsx does.
 * @param {Event} event
 */
function insert({ currentTarget: select }) {
  if (!(select instanceof HTMLSelectElement)) return;
  const message = document.getElementById(select.dataset.insertInto ?? '');
  const text = select.selectedOptions[0]?.dataset.text;
  if (!(message instanceof HTMLTextAreaElement) || text === undefined) return;
  const before = message.value.trim();
  const ends = [...select.options]
    .map(({ dataset }) => dataset.text ?? '')
    .filter((each) => before.endsWith(each));
  const length = Math.max(...ends.map((each) => each.length));
  const typed = before.slice(0, before.length - length).trimEnd();
  message.value = typed === '' ? text : `${typed}\n\n${text}`;
}

/**
 * Shows what others will read. False if nothing is chosen: then the server says what is missing.
 * @param {HTMLFormElement} form
 */
function preview(form) {
  const place = form.querySelector('[data-preview]');
  const lines = form.id === 'ask-form' ? asked(form) : rejected(form);
  if (place === null || lines.length === 0) return false;
  const list = document.createElement('ul');
  list.append(...lines.map((line) => textIn('li', line)));
  const message = form.querySelector('[name$=".message"]');
  const text = message instanceof HTMLTextAreaElement ? message.value.trim() : '';
  place.replaceChildren(list, ...(text === '' ? [] : [textIn('p', text)]));
  return true;
}

/** @param {HTMLFormElement} form */
function rejected(form) {
  const boxes = form.querySelectorAll('[name="reject.reasonCodes"]:checked');
  return [...boxes].map((box) =>
    box instanceof HTMLInputElement ? (box.labels?.[0]?.textContent ?? '').replace(NUMBER, '') : '',
  );
}

/** @param {HTMLFormElement} form */
function asked(form) {
  return [...form.querySelectorAll('.step-to-ask')].flatMap((step) => {
    const boxes = boxesOf(step).filter((box) => box.checked);
    const fields = boxes.filter(({ name }) => name !== 'ask.steps');
    const reason = step.querySelector('select')?.selectedOptions[0]?.dataset.reads ?? '';
    const note = step.querySelector('textarea')?.value.trim() ?? '';
    return (fields.length > 0 ? fields : boxes).map(
      (box) => `${box.dataset.about ?? box.labels?.[0]?.textContent}: ${reason} ${note}`,
    );
  });
}

/**
 * The boxes that ask for a step or a part of it, wherever they stand.
 * @param {Element} fieldset
 */
function boxesOf(fieldset) {
  const { step = '' } = fieldset instanceof HTMLElement ? fieldset.dataset : {};
  const boxes = document.querySelectorAll(`[name="ask.${step}.fields"], [name="ask.steps"][value="${step}"]`);
  return [...boxes].filter((box) => box instanceof HTMLInputElement);
}

/**
 * Shows the reason of a step once something of it is asked for.
 * @param {HTMLInputElement} box
 */
function markAsked(box) {
  if (!box.name.startsWith('ask.')) return;
  for (const step of document.querySelectorAll('.step-to-ask')) {
    const boxes = boxesOf(step);
    step.classList.toggle(
      'is-asked',
      boxes.some(({ checked }) => checked),
    );
    step.classList.toggle('is-last', box.checked && boxes.includes(box));
  }
}

/**
 * Shows another picture without an entry in the history.
 * @param {Event} event
 */
function showView(event) {
  event.preventDefault();
  const link = event.currentTarget;
  if (link instanceof HTMLAnchorElement) location.replace(link.hash);
}

/** Marks the picture in view in the film strip. */
function markView() {
  const links = [...document.querySelectorAll('[data-view]')];
  const current =
    links.find((link) => link instanceof HTMLAnchorElement && link.hash === location.hash) ?? links[0];
  for (const link of links) link.toggleAttribute('aria-current', link === current);
}

/**
 * @param {string} name
 * @param {string} text
 */
function textIn(name, text) {
  const element = document.createElement(name);
  element.className = 'as-typed';
  element.textContent = text;
  return element;
}

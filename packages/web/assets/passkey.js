// @ts-check
// Signs in with a passkey, or creates one. Links and forms for passkeys are hidden until this runs in a browser that has
// them.

const isSupported =
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function';

if (isSupported) {
  for (const link of document.querySelectorAll('[data-passkey-link]')) link.removeAttribute('hidden');
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    if (form instanceof HTMLFormElement) start(form);
  }
}

/** @param {HTMLFormElement} form */
function start(form) {
  const answer = form.querySelector('input[name="response"]');
  const status = form.querySelector('[data-passkey-status]');
  const button = form.querySelector('button[type="submit"]');
  if (
    !(answer instanceof HTMLInputElement && status instanceof HTMLElement && button instanceof HTMLButtonElement)
  )
    return;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    // An empty name is the server's to refuse.
    const name = form.querySelector('input[name="name"]');
    if (name instanceof HTMLInputElement && name.value.trim() === '') return;
    event.preventDefault();
    button.disabled = true;
    status.textContent = '';
    void ask(form)
      .then((response) => {
        answer.value = response;
        form.submit();
      })
      .catch(() => {
        button.disabled = false;
        status.textContent = status.dataset.failed ?? '';
      });
  });
}

/**
 * Asks the authenticator. Rejects if the user cancels.
 *
 * @param {HTMLFormElement} form
 * @returns {Promise<string>} the credential as JSON
 */
async function ask(form) {
  const options = /** @type {PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON} */ (
    JSON.parse(form.dataset.options ?? '{}')
  );
  const credential =
    form.dataset.passkey === 'create'
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
        })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  if (!(credential instanceof PublicKeyCredential)) throw new Error('The browser returned no passkey');
  return JSON.stringify(credential.toJSON());
}

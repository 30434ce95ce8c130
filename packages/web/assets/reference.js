// @ts-check
// Leads on from the addresses of the one page that the reference was, such as `#createVerification` and `#Verification.status`:
// each operation, object and webhook has an entry on this page, whose link leads to its own.

const asked = location.hash.slice(1);
const parts = asked.split('.');
const entry = parts
  .map((_, index) => document.getElementById(parts.slice(0, parts.length - index).join('.')))
  .find((element) => element !== null);
const link = entry?.closest('[data-leads-on]')?.querySelector('a');
if (link instanceof HTMLAnchorElement) {
  const address = new URL(link.href);
  address.hash = asked;
  location.replace(address);
}

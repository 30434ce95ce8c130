// @ts-check
// Leads on from the addresses of the one page that the reference was, such as `#createVerification` and `#Verification.status`:
// each operation, object and webhook has an entry on this page, whose link leads to its own.

const asked = location.hash.slice(1);
let name = asked;
while (name !== '' && document.getElementById(name) === null) {
  name = name.slice(0, Math.max(0, name.lastIndexOf('.')));
}
const link = document.getElementById(name)?.closest('[data-leads-on]')?.querySelector('a');
if (link) {
  const address = new URL(link.href);
  address.hash = asked;
  location.replace(address);
}

/** @typedef {'without' | 'with'} Kind a creation without or with the subject's e-mail address */

const KINDS = /** @type {const} */ (['without', 'with']);

/** Returns both kinds; each goes first as often as the other. @param {number} round @returns {readonly Kind[]} */
export function inTurns(round) {
  return round % 2 === 0 ? KINDS : KINDS.toReversed();
}

/** Builds the body of a request. @param {Kind} kind @param {string} subjectReference */
export function creationOf(kind, subjectReference) {
  const notify = kind === 'with' ? { notify: { email: `${subjectReference}@example.org` } } : {};
  return { subjectType: 'kyc', subjectReference, ...notify };
}

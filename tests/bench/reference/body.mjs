// Hand-written validation of a creation's body.
import { isUtf8 } from 'node:buffer';

const METADATA_MAX_BYTES = 16 * 1024;
const METADATA_MAX_DEPTH = 20;
const REFERENCE_MAX = 256;
const FIELDS = new Set(['subjectType', 'subjectReference', 'metadata']);

/**
 * @typedef {{ subjectType: string, subjectReference: string, metadata: object }} Body
 * @typedef {{ code: string, message: string }} Refusal
 */

/**
 * Parses and validates the body.
 * @param {Buffer} bytes
 * @returns {Body | Refusal}
 */
export function creationIn(bytes) {
  if (!isUtf8(bytes)) return refusal('INVALID_JSON', 'The body is not valid UTF-8');
  let body;
  try {
    body = JSON.parse(bytes.toString());
  } catch {
    return refusal('INVALID_JSON', 'The body is not valid JSON');
  }
  if (!isObject(body)) return refusal('INVALID_JSON', 'The body must be a JSON object');

  const { subjectType, subjectReference, metadata = {} } = body;
  if (subjectType !== 'kyc' && subjectType !== 'kyb') {
    return refusal('INVALID_SUBJECT_TYPE', 'subjectType must be kyc or kyb');
  }
  if (subjectReference === undefined || subjectReference === null || subjectReference === '') {
    return refusal('MISSING_SUBJECT_REFERENCE', 'subjectReference is required');
  }
  if (typeof subjectReference !== 'string' || !isStorable(subjectReference) || isTooLong(subjectReference)) {
    return refusal('INVALID_PARAMETERS', 'subjectReference must have 1 to 256 characters');
  }
  for (const field in body) {
    if (!FIELDS.has(field)) return refusal('INVALID_PARAMETERS', `${field}: is not a known field`);
  }
  if (!isObject(metadata) || !isKept(metadata, METADATA_MAX_DEPTH)) {
    return refusal('INVALID_PARAMETERS', 'metadata contains a value that cannot be stored');
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) > METADATA_MAX_BYTES) {
    return refusal('INVALID_PARAMETERS', `metadata must have at most ${METADATA_MAX_BYTES} bytes`);
  }
  return { subjectType, subjectReference, metadata };
}

/** @param {string} code @param {string} message @returns {Refusal} */
function refusal(code, message) {
  return { code, message };
}

/** @param {any} value */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {string} text */
function isStorable(text) {
  return text.isWellFormed() && !text.includes('\0');
}

/** Counts characters only if there are too many UTF-16 units, which are never fewer. @param {string} text */
function isTooLong(text) {
  return text.length > REFERENCE_MAX && [...text].length > REFERENCE_MAX;
}

/** @param {unknown} value @param {number} levels @returns {boolean} */
function isKept(value, levels) {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value === 'number')
    return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const [key, child] of Object.entries(value)) {
    if (key === '__proto__' || !isStorable(key) || !isKept(child, levels - 1)) return false;
  }
  return true;
}

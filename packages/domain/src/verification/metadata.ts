import { type Issue, invalidParameters, shortPath } from '../errors.ts';
import { type JsonObject, jsonDepth } from '../input/json.ts';
import { isStorableText, utf8Length } from '../input/text.ts';
import type { ClientMode } from '../subscription/client-mode.ts';

/** Largest metadata of a verification, in bytes of compact JSON. */
export const METADATA_MAX_BYTES: number = 16 * 1024;
/** Deepest metadata, in levels of nested objects and lists. */
export const METADATA_MAX_DEPTH = 20;

/**
 * Lists the issues of a client's metadata. Every read returns metadata unchanged, so values that a storage would alter are
 * refused: numbers that a double cannot hold exactly, text that UTF-8 cannot carry, and the key `__proto__`, which is
 * unsafe in JavaScript.
 */
export function metadataIssues(value: unknown): Issue[] {
  if (!isPlainObject(value)) return [{ path: '', message: 'must be an object' }];
  if (jsonDepth(value, METADATA_MAX_DEPTH) > METADATA_MAX_DEPTH) {
    return [{ path: '', message: `must be nested at most ${METADATA_MAX_DEPTH} levels deep` }];
  }
  // Checked before the values, so that a huge value costs nothing.
  if (utf8Length(JSON.stringify(value)) > METADATA_MAX_BYTES) {
    return [{ path: '', message: `must have at most ${METADATA_MAX_BYTES} bytes` }];
  }
  const issues: Issue[] = [];
  addValueIssues(value, '', issues);
  return issues;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Collects into one array: generators cost each creation 0.5 µs more. */
function addValueIssues(value: unknown, path: string, issues: Issue[]): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'string') {
    if (!isStorableText(value)) issues.push({ path, message: 'must be well-formed text without NUL' });
  } else if (typeof value === 'number') {
    if (!isExactNumber(value))
      issues.push({ path, message: 'cannot be kept exactly as a number: send it as text' });
  } else if (Array.isArray(value) || isPlainObject(value)) {
    addChildIssues(value, path, issues);
  } else {
    issues.push({ path, message: 'must be JSON' });
  }
}

function addChildIssues(parent: object, path: string, issues: Issue[]): void {
  for (const [key, child] of Object.entries(parent)) {
    const here = shortPath(path === '' ? key : `${path}.${key}`);
    if (key === '__proto__' || !isStorableText(key))
      issues.push({ path: here, message: 'is not allowed as a key' });
    else addValueIssues(child, here, issues);
  }
}

function isExactNumber(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/** The status that test mode drives a verification to when it was created with `metadata.sandboxOutcome`. */
export const SANDBOX_OUTCOMES = ['approved', 'rejected', 'action_needed'] as const;
/** A status that test mode drives a verification to: one of `SANDBOX_OUTCOMES`. */
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];

/** Whether a creation names an outcome: in test mode it chooses that, in live mode it is metadata like any other. */
export function namesSandboxOutcome(metadata: JsonObject): boolean {
  return Object.hasOwn(metadata, 'sandboxOutcome');
}

/**
 * Reads the outcome from a creation's metadata. Null in live mode, and if it names none.
 * @throws `INVALID_PARAMETERS` in test mode, for a value that is not an outcome
 */
export function readSandboxOutcome(metadata: JsonObject, mode: ClientMode): SandboxOutcome | null {
  if (mode === 'live' || !namesSandboxOutcome(metadata)) return null;
  const { sandboxOutcome } = metadata;
  const outcome = SANDBOX_OUTCOMES.find((known) => known === sandboxOutcome);
  if (outcome !== undefined) return outcome;
  const message = `must be one of ${SANDBOX_OUTCOMES.join(', ')}`;
  throw invalidParameters([{ path: 'metadata.sandboxOutcome', message, code: 'invalid' }]);
}

import type { JsonObject, JsonValue } from '@countersign/domain';
import type { Translate } from '../../site/messages.ts';
import { jsonFaultIn } from './json-fault.ts';

/** What somebody typed as metadata. */
export interface TypedMetadata {
  /** As the domain takes it, or refuses it: the text itself where that is not JSON; undefined where nothing was typed. */
  readonly value: JsonValue | undefined;
  /** What is wrong with it and where, in words; null where nothing is, as far as a page can tell. */
  readonly problem: string | null;
}

export function readMetadata(text: string, t: Translate): TypedMetadata {
  if (text === '') return { value: undefined, problem: null };
  const fault = jsonFaultIn(text);
  if (fault !== null) {
    const { line, column, atEnd } = fault;
    const problem = atEnd
      ? t('dashboard:verifications.new.jsonEndsEarly')
      : t('dashboard:verifications.new.badJson', { line, column });
    return { value: text, problem };
  }
  const value = JSON.parse(text) as JsonValue;
  return { value, problem: isObject(value) ? null : t('dashboard:verifications.new.notAnObject') };
}

/** With the outcome that a sandbox shall drive the verification to. Metadata that is no object stays as it is. */
export function withSandboxOutcome(value: JsonValue | undefined, sandboxOutcome: string): JsonValue | undefined {
  if (sandboxOutcome === '' || !(value === undefined || isObject(value))) return value;
  return { ...value, sandboxOutcome };
}

/** Whether the outcome stands in the metadata already. */
export function namesOutcome(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.hasOwn(value, 'sandboxOutcome');
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

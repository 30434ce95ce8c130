import type { ReadValue } from '@countersign/domain';

/** Returns a value under its name, to be spread into the fields of a reading; nothing for a text that is absent or empty. */
export function readValue(name: string, text: string | undefined, sure: boolean): Record<string, ReadValue> {
  return text === undefined || text === '' ? {} : { [name]: { value: text, sure } };
}

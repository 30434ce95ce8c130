import type { Issue } from '../errors.ts';
import type { JsonObject, JsonValue } from '../input/json.ts';
import type { Condition, Field, FieldList } from './field.ts';
import { FLOW_SWITCHES, type FlowSwitch } from './flow-switches.ts';
import { below, isJsonObject } from './paths.ts';

/** What a client asks its subjects for, beside what every client asks. */
export type FlowAsks = Readonly<Record<FlowSwitch, boolean>>;

/** Every switch on: for clients without settings, and where no client is known. */
export const ALL_ASKED: FlowAsks = Object.fromEntries(FLOW_SWITCHES.map((name) => [name, true])) as FlowAsks;

/** Whether a field is asked, given the client's settings and the answers of its siblings. */
export function isAsked(field: Field, siblings: JsonObject, asks: FlowAsks = ALL_ASKED): boolean {
  return isSwitchedOn(field, asks) && holds(field.when ?? {}, siblings);
}

/** Whether the client's settings ask for a field. */
export function isSwitchedOn({ asked }: Field, asks: FlowAsks): boolean {
  return asked === undefined || asks[asked];
}

/** Whether a field may be left out if the subject confirms it, given the answers of its siblings. */
export function mayBeAbsent({ absence }: Field, siblings: JsonObject): boolean {
  return absence !== undefined && holds(absence, siblings);
}

function holds(condition: Condition, siblings: JsonObject): boolean {
  return Object.entries(condition).every(([key, values]) => values.includes(siblings[key] ?? null));
}

/** Returns the answers without the fields that settings or other answers make pointless, such as the back of a passport. */
export function withoutUnasked(fields: FieldList, answers: JsonObject, asks: FlowAsks = ALL_ASKED): JsonObject {
  const kept = Object.entries(answers).flatMap(([key, value]): [string, JsonValue][] => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) return [[key, value]];
    return isAsked(field, answers, asks) ? [[key, withoutUnaskedParts(field, value, asks)]] : [];
  });
  return Object.fromEntries(kept);
}

function withoutUnaskedParts(field: Field, value: JsonValue, asks: FlowAsks): JsonValue {
  if (field.kind === 'group' && isJsonObject(value)) return withoutUnasked(field.fields, value, asks);
  if (field.kind !== 'rows' || !Array.isArray(value)) return value;
  return value.map((row: JsonValue) => (isJsonObject(row) ? withoutUnasked(field.fields, row, asks) : row));
}

/** Returns a `required` issue for each field that its conditions or the client's settings ask for and that has no answer. */
export function requiredByConditions(
  fields: FieldList,
  answers: JsonObject,
  asks: FlowAsks = ALL_ASKED,
  path = '',
): Issue[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const here = below(path, key);
    const value = answers[key];
    if (value !== undefined) return requiredWithin(field, value, asks, here);
    if (!isConditional(field) || field.optional === true) return [];
    if (!isAsked(field, answers, asks) || mayBeAbsent(field, answers)) return [];
    return [{ path: here, message: 'is required here', code: 'required' } satisfies Issue];
  });
}

/** Whether conditions or settings decide if the field is required. */
export function isConditional({ when, asked, absence }: Field): boolean {
  return when !== undefined || asked !== undefined || absence !== undefined;
}

function requiredWithin(field: Field, value: JsonValue, asks: FlowAsks, path: string): Issue[] {
  if (field.kind === 'group' && isJsonObject(value)) return requiredByConditions(field.fields, value, asks, path);
  if (field.kind !== 'rows' || !Array.isArray(value)) return [];
  return value.flatMap((row: JsonValue, index) =>
    isJsonObject(row) ? requiredByConditions(field.fields, row, asks, below(path, index)) : [],
  );
}

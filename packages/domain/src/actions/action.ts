import { z } from 'zod';
import type { AuditAction } from '../audit/audit-entry.ts';
import type { Made } from '../audit/audit-recorder.ts';
import type { ErrorCode, Issue } from '../errors.ts';
import type { Field, FieldList, Fields } from '../fields/field.ts';
import { lazily } from '../fields/lazily.ts';
import { schemaOfField } from '../fields/schema.ts';
import type { JsonObject } from '../input/json.ts';
import type { Upload } from '../input/upload.ts';
import type { StoragePart } from '../storage-part.ts';
import type { CallerContext } from './caller.ts';
import type { Who } from './rights.ts';
import type { Services } from './services.ts';

/** `always`: an entry before the action runs. `refusals`: an entry only for refused and failed attempts. */
export type AuditLevel = 'always' | 'refusals';

/**
 * Finds the client of the action's target before the action runs; null for a target without a client.
 * @throws CountersignError if the caller may not find the target. The attempt is then refused without an entry before it.
 */
export type ClientLookup = (services: Services, targetId: string, caller: CallerContext) => Promise<string | null>;

/** What the audit log keeps of an action. It keeps nothing of the input unless it is named here. */
export interface ActionAudit<I, O> {
  /** Default `always`. `refusals` is for actions that read no submitted data. */
  readonly log?: AuditLevel | ((caller: CallerContext) => AuditLevel);
  /** The `id` field that names the target of the action. */
  readonly target?: keyof I & string;
  /** Fields of the input that are kept. Free text, e-mail addresses, phone numbers and personal data cannot be. */
  readonly keep?: readonly (keyof I & string)[];
  /** More that is kept of an accepted input: codes inside rows. */
  readonly detail?: (input: I) => JsonObject;
  /**
   * The client that the action is about: an `id` field, for callers outside a client's team, or a lookup by the target
   * that unseals nothing. Callers in a team are recorded with their own client.
   */
  readonly client?: (keyof I & string) | ClientLookup;
  /** The target that the action created or found; null for none. It is known only afterwards, so a second entry records it. */
  readonly made?: (result: O) => Made | null;
  /**
   * What the entry says of the result, without personal data: for a read that changes nothing. The entry is then written after the read
   * and before the caller gets the result.
   */
  readonly found?: (result: O) => JsonObject;
}

/** The definition of an action. */
export interface ActionDefinition<I, O> {
  /** The id, which audit entries carry too: `api_keys.create`. */
  readonly id: AuditAction;
  /** Who may run it. An empty list allows no one. */
  readonly who: readonly Who[];
  /** Whether a signed-in caller must have confirmed their password within `CONFIRMED_MS`. */
  readonly reauthenticate?: true;
  /** Whether users of a team may run it in live mode only: it is about what a client and its test twin share. */
  readonly liveOnly?: true;
  /** Parts of the storage without which the action is refused with `NOT_AVAILABLE`. Default none. */
  readonly needs?: readonly StoragePart[];
  /** The input. Fields with `by: 'page'` come from the page's address, all others from the person. */
  readonly fields: Fields<Omit<NoInfer<I>, 'upload'>>;
  /** Whether the input has an `upload` beside its fields: a file, which no field carries. Its page reads it from the form. */
  readonly takesUpload?: true;
  /** Finds issues that the fields cannot express. They are reported together with those of the fields. */
  readonly check?: (input: unknown, services: Services) => readonly Issue[];
  readonly audit?: ActionAudit<NoInfer<I>, NoInfer<O>>;
  /** Refusals to expect beside `NOT_ALLOWED`, `CONFIRMATION_NEEDED` and `INVALID_PARAMETERS`; pages have a text for each. Default none. */
  readonly outcomes?: readonly ErrorCode[];
  readonly run: (services: Services, input: I, caller: CallerContext) => Promise<O>;
}

/** An action without the types of its input and result, for pages, commands and texts. */
export interface ActionEntry {
  readonly id: AuditAction;
  readonly who: readonly Who[];
  readonly reauthenticate: boolean;
  /** Whether users of a team may not run it in test mode. */
  readonly liveOnly: boolean;
  /** Parts of the storage that the action needs. */
  readonly needs: readonly StoragePart[];
  readonly fields: FieldList;
  readonly outcomes: readonly ErrorCode[];
  /** The `id` field that names the target of the action; null if it has none. */
  readonly target: string | null;
  /** The `id` field that names the client; null if the caller's team or a lookup gives it. */
  readonly client: string | null;
  /** Fields of the input that the audit log keeps. */
  readonly keep: readonly string[];
  /** The schema of the input, derived from the fields. */
  readonly schema: z.ZodType;
}

/** Whether the storage has each part that an action needs. */
export function isAvailable({ needs }: Pick<ActionEntry, 'needs'>, parts: ReadonlySet<StoragePart>): boolean {
  return needs.every((part) => parts.has(part));
}

/** Something a caller can do that is authorised and audited. `countersign.as(caller).run(action, input)` runs it. */
export interface Action<I, O> extends ActionEntry {
  readonly logLevel: (caller: CallerContext) => AuditLevel;
  readonly clientOf: ClientLookup | null;
  readonly detailOf: ((input: I) => JsonObject) | null;
  readonly made: ((result: O) => Made | null) | null;
  readonly foundOf: ((result: O) => JsonObject) | null;
  readonly check: ((input: unknown, services: Services) => readonly Issue[]) | null;
  readonly run: (services: Services, input: I, caller: CallerContext) => Promise<O>;
}

/**
 * Makes an action of its definition.
 *
 * @throws Error when the module is loaded, if the audit log would keep free text or personal data, or if `target` or
 * `client` is not an `id` field
 * @example
 * export const getUser: Action<{ readonly userId: string }, User> = defineAction({
 *   id: 'users.get',
 *   who: ['operator', 'command_line'],
 *   fields: { userId: { kind: 'id', by: 'page' } },
 *   audit: { log: 'refusals', target: 'userId' },
 *   outcomes: ['USER_NOT_FOUND'],
 *   run: ({ staff }, { userId }, caller) => findUser(staff, managerOf(caller), userId),
 * });
 */
export function defineAction<I, O>(definition: ActionDefinition<I, O>): Action<I, O> {
  const {
    id,
    who,
    reauthenticate = false,
    liveOnly = false,
    needs = [],
    outcomes = [],
    audit = {},
    check = null,
    run,
  } = definition;
  const {
    log = 'always',
    target = null,
    keep = [],
    detail = null,
    client = null,
    made = null,
    found = null,
  } = audit;
  const fields = definition.fields as unknown as FieldList;
  const clientField = typeof client === 'string' ? client : null;
  for (const name of [target, clientField]) {
    if (name !== null && fields[name]?.kind !== 'id')
      throw new Error(`${id}: the field ${name} must be of kind id`);
  }
  for (const name of keep) {
    if (!mayKeep(fields[name])) throw new Error(`${id}: the audit log must not keep the field ${name}`);
  }
  const schema = lazily(() => inputSchema(fields, definition.takesUpload ?? false));
  return {
    id,
    who,
    reauthenticate,
    liveOnly,
    needs,
    fields,
    outcomes,
    target,
    keep,
    get schema() {
      return schema();
    },
    logLevel: typeof log === 'function' ? log : () => log,
    client: clientField,
    clientOf: typeof client === 'function' ? client : null,
    detailOf: detail,
    made,
    foundOf: found,
    check,
    run,
  };
}

/** Entries of the audit log can never be removed, so they hold no personal data and no free text. */
function mayKeep(field: Field | undefined): boolean {
  if (field === undefined || field.purpose !== undefined) return false;
  switch (field.kind) {
    case 'choice':
    case 'number':
    case 'flag':
    case 'statement':
    case 'date':
    case 'timestamp':
    case 'id':
      return true;
    case 'list':
      return field.each.kind === 'choice';
    default:
      return false;
  }
}

/** Ids are looked up as they were sent: text that cannot be an id finds nothing, like an id of another client. */
function inputSchema(fields: FieldList, takesUpload: boolean): z.ZodType {
  const shape = Object.entries(fields).map(([key, field]): [string, z.ZodType] => [
    key,
    field.kind === 'id' ? (field.optional === true ? z.string().optional() : z.string()) : schemaOfField(field),
  ]);
  return z.strictObject({
    ...Object.fromEntries(shape),
    ...(takesUpload && { upload: z.custom<Upload>((value) => typeof value === 'object' && value !== null) }),
  });
}

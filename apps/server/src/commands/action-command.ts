import { CountersignError, isCountersignError } from '@countersign/domain';
import type { Action, ActionEntry } from '@countersign/domain/actions';
import type { Field } from '@countersign/domain/flows';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { OpenAdministration } from '../composition/administration.ts';
import type { Environment } from '../config/parse-environment.ts';
import { administer, type CommandContext } from './command-context.ts';
import { listOf, moment, number, onOrOff, wholeNumber } from './option-values.ts';

/** Overrides of the option that a field gets. */
export interface CommandOption {
  /** Name without dashes. Default: the field's key in kebab-case, without the ending `Id`. */
  readonly name?: string;
  /** Placeholder of the value in the help: `<days>`. Default: by the kind of the field. */
  readonly value?: string;
  /** Default: the text of the field's key in `OPTION_HELP`, else by the kind of the field. */
  readonly help?: string;
  readonly choices?: readonly string[];
  readonly parse?: (text: string) => unknown;
  readonly isOptional?: boolean;
  /** An option of the command alone that is on where it is given. */
  readonly isSwitch?: true;
  /** The option that cannot be given together with this one, by the key of its field. */
  readonly conflicts?: string;
}

/** Values by the key of their field, as they were given. */
export type Given = Readonly<Record<string, unknown>>;

/** What a command prints: one value of JSON, or text for people. */
export interface Printed {
  readonly json: unknown;
  readonly text: string;
}

/** A command that runs an action. Everything else comes from the entry. */
export interface ActionCommand<I, O, A extends OpenAdministration = OpenAdministration> {
  /** Group and command: `key create`. */
  readonly name: string;
  readonly description: string;
  readonly action: Action<I, O>;
  /** Opens what the action needs. Default: the database, without secrets and users. */
  readonly open?: (environment: Environment) => Promise<A>;
  /** Options by the key of their field; null for none. Other keys are options of the command alone. */
  readonly options?: Readonly<Record<string, CommandOption | null>>;
  /** For an action that cannot be undone: asked at a terminal. Elsewhere, `--yes` is needed. */
  readonly confirm?: string;
  /** Turns what was given into the input. @throws InvalidArgumentError, CountersignError */
  readonly input?: (given: Given, administration: A) => Given | Promise<Given>;
  /** Default: the result as JSON. Null: it has printed everything. */
  readonly print?: (
    result: O,
    input: I,
    administration: A,
    given: Given,
  ) => Printed | null | Promise<Printed | null>;
}

/** Adds commands that run actions to the program. */
export interface ActionCommands {
  add<I, O, A extends OpenAdministration>(row: ActionCommand<I, O, A>): void;
  /** Adds a command for each other action that the command line may run, named after its id. */
  addOthers(actions: readonly ActionEntry[]): void;
}

/** @example createActionCommands(program, context).add({ name: 'key list', description: '…', action: listClientKeys }) */
export function createActionCommands(program: Command, context: CommandContext): ActionCommands {
  const added = new Set<string>();

  function add<I, O, A extends OpenAdministration>(row: ActionCommand<I, O, A>): void {
    added.add(row.action.id);
    const [group = '', name = ''] = row.name.split(' ');
    const command = groupOf(program, group).command(name).description(row.description);
    const readGiven = declareOptions(command, row);
    if (row.confirm !== undefined) command.option('--yes', 'confirm, instead of being asked');
    command.action(async () => {
      const given = await confirmed(context, row.confirm, readGiven());
      await administer(context, row.open, async (administration) => {
        const input = (await row.input?.(given, administration)) ?? given;
        const result = await administration.runUnchecked(row.action, input).catch(renamingFields(row.options));
        // The action has parsed the input.
        const printed =
          row.print === undefined
            ? { json: result, text: JSON.stringify(result, null, 2) }
            : await row.print(result, input as I, administration, given);
        if (printed !== null) context.answer(printed.json, printed.text);
      });
    });
  }

  return {
    add,
    addOthers(actions) {
      for (const entry of actions) {
        if (added.has(entry.id) || !entry.who.includes('command_line')) continue;
        // The catalogue lists actions as entries, without the types of input and result.
        const action = entry as Action<never, unknown>;
        add({ name: defaultName(entry.id), description: `run the action ${entry.id}`, action });
      }
    },
  };
}

/**
 * Asks the question of a command, unless it has none or `--yes` was given.
 * @returns what was given, without `--yes`
 * @throws InvalidArgumentError
 */
async function confirmed({ ask }: CommandContext, question: string | undefined, given: Given): Promise<Given> {
  if (question === undefined) return given;
  const { yes, ...others } = given;
  if (yes === true) return others;
  if (ask === undefined) throw new InvalidArgumentError(`${question} Give --yes to confirm`);
  const answer = await ask(`${question} Type "yes" to continue: `);
  if (answer.trim() !== 'yes') throw new InvalidArgumentError('not confirmed, so nothing was changed');
  return others;
}

/** Makes a handler that names fields in a refusal as their options are named: `addresses.0` for `returnAddresses.0`. */
function renamingFields(options: ActionCommand<never, never>['options'] = {}): (error: unknown) => never {
  return (error) => {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    const issues = (error.data?.issues ?? []).map(({ path, ...issue }) => {
      const [key = '', ...rest] = path.split('.');
      return { ...issue, path: [options[key]?.name ?? key, ...rest].join('.') };
    });
    throw new CountersignError(error.code, error.message, { data: { ...error.data, issues } });
  };
}

/** `clients.list_api_keys` is `client list-api-keys`. */
function defaultName(id: string): string {
  const [group = '', name = ''] = id.split('.');
  return `${group.replace(/s$/, '')} ${name}`.replaceAll('_', '-');
}

const GROUPS: Readonly<Record<string, string>> = {
  client: 'create and list clients',
  subscription: "change a client's subscription",
  key: 'create, list and revoke API keys of a client',
  user: 'people who sign in: staff of clients, reviewers, operators',
  webhook: 'webhook endpoints of a client and their deliveries',
  verification: 'single verifications',
  audit: 'the log of what operators, reviewers and staff of clients did',
};

/** Finds or adds the group of a command. */
export function groupOf(program: Command, name: string): Command {
  const found = program.commands.find((each) => each.name() === name);
  return found ?? program.command(name).description(GROUPS[name] ?? '');
}

/** What options set, by the key of their field. */
const OPTION_HELP: Readonly<Record<string, string>> = {
  clientId: 'id of the client',
  keyId: 'id of the key, as key list shows it',
  endpointId: 'id of the endpoint, as webhook list shows it',
  eventId: 'id of the event, as webhook deliveries shows it',
  userId: 'id of the user',
  verificationId: 'id of the verification',
  email: "the user's e-mail address",
  name: 'name for people',
  plan: 'plan of the subscription',
  status: 'whether the subscription runs',
  placeOfBirth: 'whether subjects are asked for their place of birth: on or off',
  familyNameIndex:
    'whether reviewers find cases by the family name alone: on or off; run index rebuild after a change',
  warningsInDetails: 'whether the details that API keys read name the codes of warnings: on or off',
  readingIsAdvice: 'whether readings of documents are only for reviewers: on or off',
  proofOfAddress: 'whether subjects are asked for a proof of their address: on or off',
  monthlyLimit: "verifications a month instead of the plan's own limit",
  permissions: 'permissions of the key, separated by commas',
  expiresInDays: 'days until the key expires; default never',
  role: "the user's role",
  teamRole: "role in the client's team",
  action: 'action of the lines, such as users.create',
  outcome: 'outcome of the lines',
  actorId: 'id of the user who acted',
  fromDay: 'first day in UTC, such as 2027-01-31',
  untilDay: 'last day in UTC, included',
  before: 'only lines before this one, by its number',
};

/**
 * The field with the id that the commands of a group need, and the option that can replace it. The id is given as an argument,
 * `client get ID`, or as an option, `client get --client ID`.
 */
const SUBJECTS: Readonly<Record<string, readonly [field: string, option?: string]>> = {
  client: ['clientId'],
  subscription: ['clientId'],
  key: ['keyId'],
  user: ['userId', 'email'],
  webhook: ['endpointId'],
  verification: ['verificationId'],
};

/** Returns the field or option that a command takes as its argument; undefined if it needs no id of its group, such as `key create`. */
function subjectOf<I, O, A extends OpenAdministration>(row: ActionCommand<I, O, A>): string | undefined {
  const { name, action, options = {} } = row;
  const [field = '', option = ''] = SUBJECTS[name.split(' ')[0] ?? ''] ?? [];
  const fields: Readonly<Record<string, Field>> = action.fields;
  if (fields[field] === undefined || fields[field].optional === true) return undefined;
  if (options[field] !== null) return field;
  return options[option] ? option : undefined;
}

/** Declares the options and the argument of a command. Returns a function that reads what was given. */
function declareOptions<I, O, A extends OpenAdministration>(
  command: Command,
  row: ActionCommand<I, O, A>,
): () => Given {
  const { action, options = {} } = row;
  const subject = subjectOf(row);
  const keyOf = new Map<string, string>();
  const fields: Readonly<Record<string, Field>> = {
    ...Object.fromEntries(
      Object.entries(options).map(([key, option]) => [key, option?.isSwitch ? SWITCH : COMMAND_ONLY]),
    ),
    ...action.fields,
  };
  for (const [key, field] of Object.entries(fields)) {
    if (options[key] === null) continue;
    const described = describeOption(key, field, options[key] ?? {});
    const texts = key === subject ? { ...described, isOptional: true } : described;
    if (key === subject)
      command.addArgument(new Argument(`[${placeholderOf(texts.name, field).slice(1, -1)}]`, texts.help));
    const option = optionOf(field, texts);
    keyOf.set(option.attributeName(), key);
    command.addOption(option);
  }
  return () => {
    const given = Object.fromEntries(
      Object.entries(command.opts()).map(([name, value]): [string, unknown] => [keyOf.get(name) ?? name, value]),
    );
    if (subject === undefined) return given;
    const [text] = command.processedArgs as readonly unknown[];
    if ((text === undefined) === (given[subject] === undefined)) {
      const name = optionName(subject);
      const what = subject === 'email' ? "user's e-mail address" : `${name}'s id`;
      throw new InvalidArgumentError(`give the ${what} once, as the argument or with --${name}`);
    }
    return text === undefined ? given : { ...given, [subject]: text };
  };
}

/** The kinds of options that belong to no field of the action. */
const COMMAND_ONLY: Field = { kind: 'id' };
const SWITCH: Field = { kind: 'flag', optional: true };

type Texts = CommandOption & Required<Pick<CommandOption, 'name' | 'value' | 'help' | 'isOptional'>>;

function describeOption(key: string, field: Field, row: CommandOption): Texts {
  const name = row.name ?? optionName(key);
  return {
    value: placeholderOf(name, field),
    help: OPTION_HELP[key] ?? helpOf(field),
    isOptional: field.optional === true,
    ...row,
    name,
  };
}

/** Describes the values of a kind of field. commander lists the choices itself. */
function helpOf(field: Field): string {
  switch (field.kind) {
    case 'date':
      return 'a date such as 2027-01-31';
    case 'timestamp':
      return 'a time such as 2027-01-31T00:00:00Z; a date is its midnight in UTC';
    case 'number':
      return field.integer ? 'a whole number' : 'a number';
    case 'list':
      return 'values separated by commas';
    case 'flag':
      return 'on or off';
    default:
      return '';
  }
}

/** Names the option of a field: `monthlyLimit` is `monthly-limit`, `clientId` is `client`. */
export function optionName(key: string): string {
  return key.replace(/Id$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function placeholderOf(name: string, { kind }: Field): string {
  switch (kind) {
    case 'number':
      return '<n>';
    case 'timestamp':
      return '<time>';
    case 'email':
      return '<address>';
    case 'flag':
      return '<switch>';
    case 'list':
    case 'date':
    case 'id':
      return `<${kind}>`;
    default:
      return `<${name.split('-').at(-1)}>`;
  }
}

function optionOf(field: Field, { name, value, help, isOptional, ...row }: Texts): Option {
  // A required flag is on or off; an optional one is on where its option is given.
  if (field.kind === 'flag' && isOptional) return new Option(`--${name}`, help);
  const option = new Option(`--${name} ${value}`, help);
  const parse = row.parse ?? parserOf(field);
  if (parse !== undefined) option.argParser(parse);
  const choices = row.choices ?? (field.kind === 'choice' ? field.of.map(String) : undefined);
  if (choices !== undefined) option.choices(choices);
  if (row.conflicts !== undefined) option.conflicts(row.conflicts);
  return option.makeOptionMandatory(!isOptional);
}

/** How the text of an option becomes a value, by the kind of its field. Undefined: it stays text. */
function parserOf(field: Field): ((text: string) => unknown) | undefined {
  switch (field.kind) {
    case 'number':
      return field.integer ? wholeNumber : number;
    case 'timestamp':
      return (text) => moment(text).toISOString();
    case 'flag':
      return onOrOff;
    case 'list':
      return field.each.kind === 'choice' ? listOf(field.each.of.map(String)) : (text) => text.split(',');
    default:
      return undefined;
  }
}

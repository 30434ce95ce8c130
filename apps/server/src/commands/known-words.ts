import { type Command, CommanderError } from 'commander';

/**
 * Lists the known commands or options after an error about an unknown one, and names the command for help.
 * @param args all arguments of the command line
 * @returns an empty text after any other error
 */
export function describeKnown(error: unknown, program: Command, args: readonly string[]): string {
  if (!(error instanceof CommanderError)) return '';
  const command = commandIn(program, args);
  const help = command.createHelp();
  if (error.code === 'commander.unknownCommand') {
    return line(
      'commands',
      help.visibleCommands(command).map((each) => each.name()),
      command,
    );
  }
  if (error.code !== 'commander.unknownOption') return '';
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  return line(
    'options',
    options.map(({ flags, long }) => long ?? flags),
    command,
  );
}

function line(kind: string, known: readonly string[], command: Command): string {
  return `. Known ${kind}: ${known.join(', ')}. Help: ${pathOf(command)} --help`;
}

/** Finds the command that the arguments name. No option before its name takes a value. */
function commandIn(program: Command, args: readonly string[]): Command {
  let command = program;
  for (const arg of args.filter((each) => !each.startsWith('-'))) {
    const next = command.commands.find((each) => each.name() === arg);
    if (next === undefined) break;
    command = next;
  }
  return command;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

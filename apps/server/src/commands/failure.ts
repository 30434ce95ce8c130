import { type CountersignError, isCountersignError } from '@countersign/domain';
import { ErasureLogMismatch } from '@countersign/domain/retention';
import { CommanderError } from 'commander';
import { isSystemError, SettingError } from '../config/errors.ts';
import { errorFields } from '../logging/error-fields.ts';
import { optionName } from './action-command.ts';

/** The message and the exit code of a failed command. */
export interface Failure {
  /** Undefined if everything was printed already. */
  readonly line: string | undefined;
  readonly exitCode: number;
}

export const EXIT = {
  done: 0,
  failed: 1,
  wrongCommandLine: 2,
  /** EX_CONFIG of sysexits.h. */
  wrongSetting: 78,
} as const;

/** Describes any thrown value in one line. An unexpected fault shows where it was thrown. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) return describeCommanderError(error);
  if (error instanceof SettingError) return { line: error.message, exitCode: EXIT.wrongSetting };
  if (isCountersignError(error)) return describeRefusal(error);
  if (isForOperator(error)) {
    return { line: oneLine(error.message), exitCode: EXIT.failed };
  }
  return { line: `unexpected fault: ${whereFrom(error)}`, exitCode: EXIT.failed };
}

/** Names of errors whose message is printed. Importing their classes would load every driver for every command. */
const FOR_THE_OPERATOR: readonly string[] = [
  'SqliteOpenError',
  'SqliteBackupError',
  'BackupError',
  'S3EvidenceError',
  'ErasureError',
  'PostgresOpenError',
  'CopyError',
  'AccountsOpenError',
  'AccountsCopyError',
  'AccountsSealError',
  'SealingError',
];

function isForOperator(error: unknown): error is Error {
  return isSystemError(error) || (error instanceof Error && FOR_THE_OPERATOR.includes(error.name));
}

/** Leaves out the message, as the log does: it may quote a key or personal data. */
function whereFrom(error: unknown): string {
  const { type, code, stack } = errorFields(error);
  const [place = ''] = stack.split('\n');
  return [type, code, place].filter((part) => part !== undefined && part !== '').join(' ');
}

function describeCommanderError({ code, exitCode, message }: CommanderError): Failure {
  if (exitCode === 0) return { line: undefined, exitCode: EXIT.done };
  // A group without a command, such as `countersign key`: its help was printed.
  if (code === 'commander.help') return { line: undefined, exitCode: EXIT.wrongCommandLine };
  return { line: oneLine(message.replace(/^error: /, '')), exitCode: EXIT.wrongCommandLine };
}

/** Describes a refusal. Issues name the option of their field and, in a list, which value is refused. */
function describeRefusal(error: CountersignError): Failure {
  if (error.code !== 'INVALID_PARAMETERS') {
    const place = error instanceof ErasureLogMismatch ? ' ERASURE_LOG_URL names its place.' : '';
    return { line: `${oneLine(error.message)}${place} (${error.code})`, exitCode: EXIT.failed };
  }
  const issues = error.data?.issues ?? [];
  const lines = issues.map(({ path, message }) => {
    const [key = '', index] = path.split('.');
    const value = index === undefined || !/^\d+$/.test(index) ? '' : `, value ${Number(index) + 1}`;
    return `option '--${optionName(key)}'${value}: ${message}`;
  });
  return { line: oneLine(lines.join('; ') || error.message), exitCode: EXIT.wrongCommandLine };
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}

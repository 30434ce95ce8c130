import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { SettingError } from '../config/errors.ts';

// How the text of an option becomes a value. commander puts the option's name in front of the errors.

/** @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

/** @throws InvalidArgumentError */
export function number(text: string): number {
  if (!/^-?\d{1,15}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError('Expected a number.');
  return Number(text);
}

/** Parses a percentage of at least 0.1. @throws InvalidArgumentError */
export function percent(text: string): number {
  const value = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0.1 && value <= 100) return value;
  throw new InvalidArgumentError('Expected a number from 0.1 to 100.');
}

/** @throws InvalidArgumentError */
export function onOrOff(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Expected "on" or "off".');
  return text === 'on';
}

const isoMoment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** Parses a time in ISO 8601. A date alone is its first moment in UTC. @throws InvalidArgumentError */
export function moment(text: string): Date {
  if (isoMoment.safeParse(text).success) return new Date(text);
  throw new InvalidArgumentError(
    'Expected a time such as 2027-01-31T00:00:00Z, or a date such as 2027-01-31 (its midnight in UTC).',
  );
}

/** Accepts a word beside the values of a parser: `orWord('never', moment)`. The parser throws InvalidArgumentError. */
export function orWord<W extends string, T>(word: W, parse: (text: string) => T): (text: string) => W | T {
  return (text) => {
    if (text === word) return word;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new InvalidArgumentError(`${error.message.replace(/\.$/, '')}, or "${word}".`);
    }
  };
}

/** Returns a parser of words separated by commas. It throws InvalidArgumentError. */
export function listOf<T extends string>(words: readonly T[]): (text: string) => T[] {
  return (text) => {
    const given = text.split(',').map((word) => word.trim());
    return given.map((word) => {
      const known = words.find((candidate) => candidate === word);
      if (known === undefined) throw new InvalidArgumentError(`Expected some of ${words.join(', ')}.`);
      return known;
    });
  };
}

/** Parses an option as a setting, so that an error does not quote its value, which may hold a password. @throws InvalidArgumentError */
export function asSetting<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SettingError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

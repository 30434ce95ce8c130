import { InvalidArgumentError } from 'commander';
import { z } from 'zod';

// How the text of an option becomes a value. commander puts the option's name in front of what is thrown here.

/** @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

/** @throws InvalidArgumentError */
export function fileName(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected the name of a file.');
  return text;
}

/** A whole number, or the word. (commander makes an empty text of null.) @throws InvalidArgumentError */
export function wholeNumberOrDefault(text: string): number | 'default' {
  if (text === 'default') return text;
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Expected a whole number, or "default".');
  return Number(text);
}

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** A moment in ISO 8601, or the word. A date alone is its first moment in UTC. @throws InvalidArgumentError */
export function momentOrNever(text: string): Date | 'never' {
  if (text === 'never') return text;
  if (!moment.safeParse(text).success) {
    throw new InvalidArgumentError(
      'Expected a time such as 2027-01-31T00:00:00Z, a date such as 2027-01-31 (its midnight in UTC), or "never".',
    );
  }
  return new Date(text);
}

/** A function that reads words of a list, separated by commas. It throws InvalidArgumentError. */
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

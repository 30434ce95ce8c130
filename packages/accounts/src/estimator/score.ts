import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as german from '@zxcvbn-ts/language-de';
import * as english from '@zxcvbn-ts/language-en';
import { withoutRepeats } from './without-repeats.ts';

/** A password and the words that an attacker would try first. */
export interface Question {
  readonly password: string;
  readonly expected: readonly string[];
}

/**
 * Number of characters that are estimated. Further characters make no password weaker, and the time grows much faster
 * than the length: 128 characters made for it take 10 seconds.
 */
const ESTIMATED_MAX = 48;

/** Passphrases that everyone knows from examples (https://xkcd.com/936), with the usual separators. */
const PUBLISHED = ['', ' ', '-', '_', '.'].map((separator) =>
  ['correct', 'horse', 'battery', 'staple'].join(separator),
);

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary, ...german.dictionary, published: PUBLISHED },
  graphs: common.adjacencyGraphs,
  maxLength: ESTIMATED_MAX,
});

/**
 * Digits and marks that people add to a word at its ends: at most a date, `24.12.2026`. zxcvbn takes them for random
 * characters.
 */
const ADDED = /^[^\p{L}]+|[^\p{L}]+$/gu;
const ADDED_MAX = 10;

/** Score of a single common word, or of two. */
const SCORE_OF_A_WORD = 1;

/** zxcvbn's highest score. */
const HIGHEST_SCORE = 4;

/**
 * Scores a password from 0 to 4 by the part that it repeats, and as a whole if that could lower the score: a word may contain a
 * repeat.
 */
export function scoreOf({ password, expected }: Question): number {
  const part = withoutRepeats(password);
  const score = scoreWithoutEnds({ password: part, expected });
  if (part === password || score < HIGHEST_SCORE) return score;
  return scoreWithoutEnds({ password, expected });
}

function scoreWithoutEnds({ password, expected }: Question): number {
  const { score } = zxcvbn.check(password, [...expected]);
  const word = password.replaceAll(ADDED, '');
  const added = password.length - word.length;
  if (word === '' || added === 0 || added > ADDED_MAX) return score;
  const { score: ofWord } = zxcvbn.check(word, [...expected]);
  return ofWord <= SCORE_OF_A_WORD ? Math.min(score, ofWord) : score;
}

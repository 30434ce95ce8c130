import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as german from '@zxcvbn-ts/language-de';
import * as english from '@zxcvbn-ts/language-en';

// The program of the thread that estimates passwords: answers each question with a score from 0 to 4.

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

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary, ...german.dictionary },
  graphs: common.adjacencyGraphs,
  maxLength: ESTIMATED_MAX,
});

parentPort?.on('message', ({ password, expected }: Question) => {
  parentPort?.postMessage(zxcvbn.check(password, [...expected]).score);
});

import { parentPort } from 'node:worker_threads';
import { type Question, scoreOf } from './score.ts';

// The program of the thread that estimates passwords: answers each question with its score.
parentPort?.on('message', (question: Question) => parentPort?.postMessage(scoreOf(question)));

/** Samples: valid answers and files of any step, and what is kept of warnings, for tests and documentation. */

export { type SampleContext, sampleFilesOf, sampleOf } from '../fields/sample.ts';
export { toKept } from '../verification/warnings/kept-warnings.ts';

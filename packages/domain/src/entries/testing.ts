/** Samples: valid answers and files of any step, for tests and documentation. */

export { type SampleContext, sampleFilesOf, sampleOf } from '../fields/sample.ts';

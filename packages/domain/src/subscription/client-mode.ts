/** `test` is the mode of a test twin: its data is made for tests. */
export type ClientMode = 'live' | 'test';

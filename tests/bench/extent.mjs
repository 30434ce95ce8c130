/**
 * The extent of a measurement.
 * @typedef {object} Extent
 * @property {number} clients
 * @property {number} verifications created before the measurement
 * @property {number} warmUpSeconds for each program and kind of request
 * @property {{ rounds: number, seconds: number, atOnce: number }} get
 * @property {{ rounds: number, seconds: number, atOnce: number }} post
 * @property {number} requests that the server answers before its memory is measured
 * @property {PagesExtent} pages
 * @property {UploadsExtent} uploads
 *
 * @typedef {object} PagesExtent
 * @property {number} verifications in the list
 * @property {number} rounds
 * @property {number} pages in all rounds together
 * @property {number} connections
 * @property {number} seconds of each calm round
 * @property {import('./page-times.mjs').PageTimesExtent} times of single pages
 *
 * @typedef {object} UploadsExtent
 * @property {number} rounds
 * @property {number} calmSeconds of each round with each kind of picture
 * @property {number} attackSeconds of the same
 * @property {number} settleSeconds after an attack, for the file that the server is decoding
 * @property {number} scale of the pictures; less than 1 makes those of attackers harmless
 * @property {{ atOnce: number, megabytes: number, calmSeconds: number }} large uploads at once, and the size of each
 */

/** @type {Extent} */
export const FULL = {
  clients: 4,
  verifications: 12_000,
  warmUpSeconds: 2,
  get: { rounds: 11, seconds: 1.5, atOnce: 32 },
  post: { rounds: 9, seconds: 1.5, atOnce: 64 },
  requests: 200_000,
  pages: {
    verifications: 2_000,
    rounds: 10,
    pages: 20_000,
    connections: 8,
    seconds: 8,
    times: { sizes: [1_000, 100_000, 1_000_000], days: 400, warmUp: 200, rounds: 5, requests: 10 },
  },
  uploads: {
    rounds: 3,
    calmSeconds: 20,
    attackSeconds: 60,
    settleSeconds: 3,
    scale: 1,
    large: { atOnce: 20, megabytes: 24.3, calmSeconds: 20 },
  },
};

/** A smoke test; its figures mean nothing. @type {Extent} */
export const SHORT = {
  clients: 1,
  verifications: 200,
  warmUpSeconds: 0.1,
  get: { rounds: 1, seconds: 0.1, atOnce: 8 },
  post: { rounds: 1, seconds: 0.1, atOnce: 64 },
  requests: 500,
  pages: {
    verifications: 50,
    rounds: 2,
    pages: 32,
    connections: 8,
    seconds: 0.2,
    times: { sizes: [100], days: 400, warmUp: 0, rounds: 1, requests: 2 },
  },
  uploads: {
    rounds: 1,
    calmSeconds: 0.2,
    attackSeconds: 0.2,
    settleSeconds: 0,
    scale: 0.05,
    large: { atOnce: 2, megabytes: 1, calmSeconds: 0.2 },
  },
};

/** Measures fewer requests: on Postgres each takes several times as long. @param {Extent} extent @returns {Extent} */
export const onPostgres = (extent) => ({
  ...extent,
  clients: extent === SHORT ? 2 : 100,
  requests: Math.min(extent.requests, 80_000),
});

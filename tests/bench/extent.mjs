/**
 * The extent of a measurement.
 * @typedef {object} Extent
 * @property {number} clients
 * @property {number} verifications created before the measurement
 * @property {number} warmUpSeconds for each program and kind of request
 * @property {{ rounds: number, seconds: number, atOnce: number }} get
 * @property {{ rounds: number, seconds: number, atOnce: number }} post
 * @property {number} requests that the server answers before its memory is measured
 */

/** @type {Extent} */
export const FULL = {
  clients: 4,
  verifications: 12_000,
  warmUpSeconds: 2,
  get: { rounds: 11, seconds: 1.5, atOnce: 32 },
  post: { rounds: 9, seconds: 1.5, atOnce: 64 },
  requests: 200_000,
};

/** A smoke test; its figures mean nothing. @type {Extent} */
export const SHORT = {
  clients: 1,
  verifications: 200,
  warmUpSeconds: 0.1,
  get: { rounds: 1, seconds: 0.2, atOnce: 8 },
  post: { rounds: 1, seconds: 0.2, atOnce: 64 },
  requests: 500,
};

/** Measures fewer requests: on Postgres each takes several times as long. @param {Extent} extent @returns {Extent} */
export const onPostgres = (extent) => ({
  ...extent,
  clients: extent === SHORT ? 3 : 100,
  requests: Math.min(extent.requests, 80_000),
});

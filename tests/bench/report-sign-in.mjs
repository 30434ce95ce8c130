// Formats the figures of sign-ins beside the API and checks them against the targets.
import { reportOf } from './report.mjs';
import { checkRatio, timesText } from './report-retention.mjs';

/** Of the 99th percentile beside the other, of that without. */
const MOST = 1.5;

/** @param {import('./sign-in.mjs').SignInFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportSignIn({ perSecond, signInsPerSecond, signIn, api }) {
  const parts = [
    { name: 'sign-ins', of: signIn, other: `${perSecond} requests a second` },
    { name: 'the API', of: api, other: `${signInsPerSecond} sign-ins a second` },
  ];
  return reportOf(
    [
      `postgres: ${signInsPerSecond} sign-ins and ${perSecond} requests to the API a second`,
      ...parts.flatMap(({ name, of }) => [
        `${name.padEnd(8)}  calm    ${timesText(of.calm)}`,
        `${name.padEnd(8)}  beside  ${timesText(of.loaded)}`,
        `${name.padEnd(8)}  rounds  ${of.ratios.map((each) => each.toFixed(2)).join('  ')}`,
      ]),
    ],
    parts.map(({ name, of, other }) => checkRatio(`p99 of ${name} beside ${other}, of calm`, of.ratios, MOST)),
  );
}

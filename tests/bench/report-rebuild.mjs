// Formats the figures of the API beside a rebuild of blind indexes and checks them against the target.
import { reportOf } from './report.mjs';
import { checkRatio, timesText } from './report-retention.mjs';
import { median } from './rounds.mjs';

/** The most that the p99 of other requests may grow (docs/performance.md). */
const MOST = 1.5;

/** @param {import('./rebuild.mjs').RebuildFigures} figures @returns {import('./benchmarks.mjs').Result} */
export function reportRebuild(figures) {
  const { kind, rows, due, perSecond, calm, loaded, ratios, done, workingSeconds, fewest, last } = figures;
  const perRound = median(done);
  const labelled = done.reduce((sum, each) => sum + each, last.labelled);
  return reportOf(
    [
      `${kind}: ${perSecond} requests a second over ${rows} verifications, of which ${due} have no labels`,
      `calm        ${timesText(calm)}`,
      `rebuilding  ${timesText(loaded)}`,
      `rounds      ${ratios.map((each) => each.toFixed(2)).join('  ')}`,
      `labelled    ${done.join('  ')}   in ${workingSeconds} s each, so all ${due} take ${((workingSeconds * due) / perRound / 60).toFixed(0)} min`,
      `together    ${timesText(last)}   ${last.labelled} labelled in ${last.seconds.toFixed(0)} s`,
    ],
    [
      checkRatio('p99 of others while indexes are rebuilt, of calm', ratios, MOST),
      {
        ok: Math.min(...done) >= fewest,
        line: `labelled in a round: at least ${Math.min(...done)} (at least ${fewest})`,
      },
      { ok: labelled === due, line: `labelled: ${labelled} of ${due}` },
    ],
  );
}

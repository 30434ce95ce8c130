import { mkdirSync, writeFileSync } from 'node:fs';
import { drawChart } from './chart.mjs';

const FOLDER = new URL('../../docs/figures/', import.meta.url);

/**
 * Writes the curves for docs/performance.md, light and dark.
 * @param {Readonly<Record<string, import('./chart.mjs').Chart>>} charts by file name, without theme and ending
 */
export function writeFigures(charts) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, chart] of Object.entries(charts)) {
    for (const theme of /** @type {const} */ (['light', 'dark'])) {
      writeFileSync(new URL(`${name}-${theme}.svg`, FOLDER), drawChart(chart, theme));
    }
  }
}

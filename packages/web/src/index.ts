export { retentionReportCsv } from './exports/retention-csv.ts';
export { retentionReportDocument } from './exports/retention-document.ts';
export type { WebOptions } from './site/site.ts';
export { createWeb } from './web.tsx';

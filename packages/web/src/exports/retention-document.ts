import { ERASURE_RULES, type Erasure, type RetentionReport } from '@countersign/domain/retention';
import { html, raw } from 'hono/html';
import { figure, monthInWords } from '../site/formats.ts';
import type { Language } from '../site/language.ts';
import { type Translate, translator } from '../site/messages.ts';
import { REPORT_STYLE } from './document-style.ts';

/** Allows the style in the document and nothing else, should a text ever be taken for markup. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const COLUMNS = ['number', 'verificationId', 'at', 'rule', 'steps', 'files', 'events', 'hash'] as const;

/**
 * Writes a report as a page to print and to keep, in pieces: it needs no network, script or other file.
 *
 * @example
 * for await (const piece of retentionReportDocument(report, 'en')) process.stdout.write(piece);
 */
export async function* retentionReportDocument(
  report: RetentionReport,
  language: Language,
): AsyncGenerator<string> {
  const t = translator(language);
  yield await head(report, language, t);
  if (report.total > 0) {
    const heads = COLUMNS.map(
      (column) => html`<th scope="col">${t(`wording:erasureReport.columns.${column}`)}</th>`,
    );
    yield await textOf(html`<table><thead><tr>${heads}</tr></thead><tbody>`);
    for await (const erasure of report.erasures()) yield await row(erasure, t);
    yield '</tbody></table>\n';
  }
  yield '</main></body></html>\n';
}

async function head(report: RetentionReport, language: Language, t: Translate): Promise<string> {
  const { client, month, madeAt, until, total, totals } = report;
  const title = t('wording:erasureReport.title', { client: client.name, month: monthInWords(month, language) });
  const state = madeAt < until ? 'running' : 'ended';
  const made = t(`wording:erasureReport.${state}`, { moment: madeAt.toISOString() });
  const sums = ERASURE_RULES.map(
    (rule) =>
      html`<div><dt>${t(`wording:erasureRule.${rule}`)}</dt><dd>${figure(totals[rule], language)}</dd></div>`,
  );
  return textOf(html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${POLICY}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${title}</title><style>${raw(REPORT_STYLE)}</style></head>
<body><main><h1>${title}</h1>
<p class="lead">${t('wording:erasureReport.total', { count: total, figure: figure(total, language) })}</p>
<p class="quiet">${made} ${t('wording:erasureReport.numbers')} ${client.id}</p>
<dl class="facts">${sums}</dl>
`);
}

async function row(erasure: Erasure, t: Translate): Promise<string> {
  const { number, verificationId, at, rule, steps, files, events, hash } = erasure;
  const counts = [steps, files, events].map((count) => html`<td class="number">${count}</td>`);
  return textOf(
    html`<tr><th scope="row" class="number">${number}</th><td>${verificationId}</td><td>${at.toISOString()}</td><td>${t(`wording:erasureRule.${rule}`)}</td>${counts}<td>${hash}</td></tr>
`,
  );
}

async function textOf(markup: ReturnType<typeof html>): Promise<string> {
  return (await markup).toString();
}

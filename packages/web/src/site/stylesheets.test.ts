import { globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CssNode, type Declaration, generate, parse, walk } from 'css-tree';
import { describe, expect, it } from 'vitest';
import { DOCUMENT_RULES, DOCUMENT_STYLE, REPORT_RULES, REPORT_STYLE } from '../exports/document-style.ts';
import { tokensOf } from './tokens.ts';

const ASSETS = fileURLToPath(new URL('../../assets/', import.meta.url));
const SOURCES = fileURLToPath(new URL('../', import.meta.url));
const TOKENS = 'tokens.css';

const readAsset = (name: string): string => readFileSync(ASSETS + name, 'utf8');
const sheets = readdirSync(ASSETS).filter((name) => name.endsWith('.css'));
const { light } = tokensOf(readAsset(TOKENS));

const TYPE = /^(?:font|font-size|line-height)$/;
const SPACE = /^(?:margin|padding|scroll-margin|scroll-padding)(?:-|$)|^(?:row-|column-)?gap$/;
const CORNER = /^border(?:-\w+)*-radius$/;
const HEIGHT = /^(?:min-)?(?:height|block-size)$/;
/** Heights in rem that a control, a badge or a row may have. Pictures and charts are higher, lines and dots lower. */
const CONTROL = { from: 1.375, to: 3.5 };
const REM_PX = 16;

/** Colours of the reader's system, and those that come from elsewhere. */
// cspell:ignore canvastext highlighttext
const OTHER_COLOURS = /^(?:currentcolor|transparent|canvas|canvastext|highlight|highlighttext)$/;
const COLOUR_FUNCTION = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)$/;
const COLOUR_PROPERTY = /(?:^|-)(?:color|background|border|outline|fill|stroke|shadow)(?:-|$)/;
/** Identifiers that these properties have beside the names of colours. */
const NO_COLOUR =
  /^(?:none|auto|inherit|initial|unset|solid|dashed|dotted|double|inset|collapse|separate|content|clip|cover|contain|center|round|bevel|no-repeat)$/;

/** Sizes of type by name, absolute and relative. */
const TYPE_NAME = /^(?:(?:xx?-)?(?:small|large)|xxx-large|medium|smaller|larger|math)$/;

/**
 * Lists the values of a declaration that belong in tokens.css: sizes of type, space and corners, heights of controls,
 * and colours. Widths, other heights and positions are a matter of one layout, so they may have lengths of their own, and
 * so may the thickness of a line. Percentages depend on the box around, except those of type, and so does `auto`; margins
 * of `1px` hide text from sight (`.visually-hidden`).
 */
function ownValues({ property, value }: Declaration): string[] {
  const isSize = TYPE.test(property) || SPACE.test(property) || CORNER.test(property);
  const isType = TYPE.test(property);
  const isHiding = property === 'margin' && generate(value) === '-1px';
  const own: string[] = [];
  walk(value, (node: CssNode) => {
    if (node.type === 'Dimension' && isSize && !isHiding) own.push(generate(node));
    if (node.type === 'Dimension' && HEIGHT.test(property) && isControlHeight(node)) own.push(generate(node));
    if (node.type === 'Percentage' && isType) own.push(generate(node));
    if (node.type === 'Identifier' && isType && TYPE_NAME.test(node.name.toLowerCase())) own.push(node.name);
    if (node.type === 'Number' && property === 'line-height') own.push(generate(node));
    if (node.type === 'Hash' && COLOUR_PROPERTY.test(property)) own.push(generate(node));
    if (node.type === 'Function' && COLOUR_FUNCTION.test(node.name)) own.push(generate(node));
    if (node.type === 'Identifier' && isColourName(property, node.name.toLowerCase())) own.push(node.name);
  });
  return own;
}

function isControlHeight({ value, unit }: { readonly value: string; readonly unit: string }): boolean {
  const rem = { rem: 1, em: 1, px: 1 / REM_PX }[unit.toLowerCase()];
  return rem !== undefined && Number(value) * rem >= CONTROL.from && Number(value) * rem <= CONTROL.to;
}

function isColourName(property: string, name: string): boolean {
  const isOther = name.startsWith('--') || OTHER_COLOURS.test(name) || NO_COLOUR.test(name);
  return COLOUR_PROPERTY.test(property) && property !== 'border-collapse' && !isOther;
}

interface Fault {
  readonly line: number | undefined;
  readonly what: string;
}

/** Lists what a stylesheet beside tokens.css may not say. */
function faultsOf(css: string): Fault[] {
  const faults: Fault[] = [];
  walk(parse(css, { positions: true, parseCustomProperty: true }), (node) => {
    const line = node.loc?.start.line;
    if (node.type === 'Declaration') {
      const { property } = node;
      if (property.startsWith('--')) faults.push({ line, what: `${property} is set outside ${TOKENS}` });
      for (const value of ownValues(node))
        faults.push({ line, what: `${property} has a value of its own: ${value}` });
    }
    if (node.type === 'Function' && node.name === 'var') {
      const token = generate(node).slice('var('.length, -1);
      if (!light.has(token.slice('--'.length))) faults.push({ line, what: `${token} is no token` });
    }
  });
  return faults;
}

describe.each(sheets.filter((name) => name !== TOKENS))('%s', (name) => {
  it('takes colours, sizes of type, space and corners and heights of controls from the tokens', () => {
    expect(faultsOf(readAsset(name))).toEqual([]);
  });
});

it.each([
  ['a copy of data', DOCUMENT_RULES, DOCUMENT_STYLE],
  ['a report', REPORT_RULES, REPORT_STYLE],
])('the style within %s is the tokens and rules that take from them', (_, rules, style) => {
  expect(faultsOf(rules)).toEqual([]);
  expect(style).toContain(rules);
  expect(tokensOf(style)).toEqual(tokensOf(readAsset(TOKENS)));
});

it.each([
  ['a colour', 'a { color: #fff }', 'color has a value of its own: #fff'],
  [
    'a colour in a function',
    'a { box-shadow: 0 1px 2px rgb(0 0 0 / 6%) }',
    'box-shadow has a value of its own: rgb(0 0 0/6%)',
  ],
  ['a named colour', 'a { border: 1px solid red }', 'border has a value of its own: red'],
  ['a size of type', 'a { font: 600 0.9rem var(--font) }', 'font has a value of its own: 0.9rem'],
  ['a relative size of type', 'code { font-size: 0.9em }', 'font-size has a value of its own: 0.9em'],
  ['a size of type in percent', 'a { font-size: 90% }', 'font-size has a value of its own: 90%'],
  ['a size of type by name', 'a { font-size: small }', 'font-size has a value of its own: small'],
  ['a relative size by name', 'a { font: 600 larger var(--font) }', 'font has a value of its own: larger'],
  ['a height of a control', 'a { min-height: 2.25rem }', 'min-height has a value of its own: 2.25rem'],
  ['a height of a control in pixels', 'a { block-size: 40px }', 'block-size has a value of its own: 40px'],
  ['a height of line', 'a { line-height: 1.4 }', 'line-height has a value of its own: 1.4'],
  ['a space', 'a { padding: 0 6px }', 'padding has a value of its own: 6px'],
  [
    'a space within calc()',
    'a { margin-top: calc(var(--space-1) + 3px) }',
    'margin-top has a value of its own: 3px',
  ],
  ['a gap', '@media print { a { gap: 1rem } }', 'gap has a value of its own: 1rem'],
  ['a corner', 'a { border-start-start-radius: 3px }', 'border-start-start-radius has a value of its own: 3px'],
  ['an unknown token', 'a { color: var(--colour) }', '--colour is no token'],
  ['a token of its own', 'a { --gap: 1rem }', '--gap is set outside tokens.css'],
])('%s is refused', (_, css, what) => {
  expect(faultsOf(css)).toEqual([{ line: 1, what }]);
});

it('layouts may have widths, heights, positions and lines of their own', () => {
  const css = `a { width: 20rem; height: 8rem; min-height: 1px; max-height: 3em; inset: 1px; outline: 3px solid var(--focus); margin: 0 auto;
    padding: 0 5%; border: 0; gap: calc(2 * var(--space-2)); background: none; color: currentcolor }`;
  expect(faultsOf(css)).toEqual([]);
});

describe('drawings', () => {
  /** Attributes of SVG and HTML that give a colour, and `style`, which the pages' policy refuses anyway. */
  const OWN_COLOUR =
    /(?<![\w-])(?:style=|(?:fill|stroke|color|stop-color|flood-color|bgcolor)=(?:\{?["'`])(?!none\b|currentcolor\b|url\()).*/gi;
  const coloursOf = (text: string): string[] =>
    [...text.matchAll(OWN_COLOUR)].map(([found]) => found.slice(0, 80));
  /** Cameras need black on white in both themes, and the icon of a tab has no stylesheet (contrast.test.ts compares it). */
  const EXCEPTIONS = ['site/qr-code.tsx', 'icon.svg'];
  const drawn = [
    ...globSync('**/*.tsx', { cwd: SOURCES }).map((file) => [file, SOURCES + file] as const),
    ...readdirSync(ASSETS)
      .filter((name) => name.endsWith('.svg'))
      .map((name) => [name, ASSETS + name] as const),
  ].filter(([file]) => !/^design\/|\.test\.tsx$/.test(file));

  it('take their colours from the stylesheets', () => {
    expect(drawn.length).toBeGreaterThan(50);
    const faults = drawn.flatMap(([file, path]) =>
      coloursOf(readFileSync(path, 'utf8')).map((colour) => ({ file, colour })),
    );
    expect(faults.filter(({ file }) => !EXCEPTIONS.includes(file))).toEqual([]);
    expect(new Set(faults.map(({ file }) => file))).toEqual(new Set(EXCEPTIONS));
  });

  it.each([
    '<rect fill="#0a6" />',
    '<path stroke="red" />',
    '<p style="color: red">',
    '<b style={{}}>',
    "<g fill={'#fff'}>",
  ])('%s is refused', (markup) => {
    expect(coloursOf(markup)).toHaveLength(1);
  });

  it.each([
    '<path fill="none" />',
    '<g stroke="currentcolor">',
    '<Bars fill="url(#today)" />',
    '<p data-style="x">',
  ])('%s is accepted', (markup) => {
    expect(coloursOf(markup)).toEqual([]);
  });
});

it('tokens.css has at most six sizes of type', () => {
  const sizes = [...light].filter(([name]) => name.startsWith('type-'));
  expect(sizes.map(([name]) => name)).toEqual(['type-12', 'type-14', 'type-16', 'type-20', 'type-24', 'type-32']);
});

describe('nothing is left over:', () => {
  /** The pages of parts show what no page may have. */
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCES }).filter((file) => !/^design\/|\.test\.ts$/.test(file));
  const sources = files.map((file) => readFileSync(SOURCES + file, 'utf8')).join('\n');
  const scripts = readdirSync(ASSETS)
    .filter((name) => name.endsWith('.js'))
    .map(readAsset)
    .join('\n');
  /** Beginnings of names that a template completes, such as `is-${tone}`. */
  const beginnings = [...sources.matchAll(/([\w-]+-)\$\{/g)].map(([, beginning = '']) => beginning);
  const isNamed = (name: string, text: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(text);

  it('each class of a stylesheet is on a page', () => {
    const classes = new Set<string>();
    for (const name of sheets) {
      walk(parse(readAsset(name)), (node) => {
        if (node.type === 'ClassSelector') classes.add(node.name);
      });
    }
    const isUsed = (name: string) =>
      isNamed(name, sources) ||
      isNamed(name, scripts) ||
      beginnings.some((beginning) => name.startsWith(beginning));
    expect([...classes].filter((name) => !isUsed(name))).toEqual([]);
  });

  it('each token is used', () => {
    const all = sheets.map(readAsset).join('\n');
    expect([...light.keys()].filter((name) => !all.includes(`var(--${name})`))).toEqual([]);
  });

  it.each([
    ['icons.svg', 8192],
    ['drawings.svg', 4096],
  ])('each symbol of %s is drawn, and it has at most %i bytes', (name, bytes) => {
    const symbols = [...readAsset(name).matchAll(/<symbol[^>]* id="([\w-]+)"/g)].map(([, id = '']) => id);
    expect(symbols.length).toBeGreaterThan(5);
    expect(Buffer.byteLength(readAsset(name))).toBeLessThanOrEqual(bytes);
    const parts = files.filter((file) => !/parts\/(?:icon|drawing)\.tsx$/.test(file));
    const drawing = parts.map((file) => readFileSync(SOURCES + file, 'utf8')).join('\n');
    expect(symbols.filter((id) => !new RegExp(`['"]${id}['"]`).test(drawing))).toEqual([]);
  });
});

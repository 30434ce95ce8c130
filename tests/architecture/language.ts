import ts from 'typescript';

/**
 * A title that begins with one of these words is the rest of a sentence, such as `of another reviewer is refused`, and says nothing
 * in a list of failures. A title begins with its subject or with a verb in the active voice.
 */
const REST_OF_A_SENTENCE = new Set(
  `of and or with without its one's the-same is are was were be has have do does can cannot will not another other whose who which
  that than so as if it where when while until once after before at in into on onto by to from for under over between beside
  during also even only but`.split(/\s+/),
);

/** Whether a title of a test begins in the middle of a sentence. */
export function beginsInMidSentence(title: string): boolean {
  const [first = '', second = ''] = title.toLowerCase().split(/[\s,:;.]+/);
  return REST_OF_A_SENTENCE.has(first) || REST_OF_A_SENTENCE.has(`${first}-${second}`);
}

/** Returns the titles of the tests in a file: the first arguments of `it`, `test` and their forms. */
export function testTitles(source: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:it|test)\b/.test(node.expression.getText())) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
      if (title !== undefined && ts.isTemplateExpression(title)) titles.push(title.head.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.test.tsx', source, ts.ScriptTarget.Latest, true));
  return titles;
}

/** Words that say how many things happen at the same time, in the clause before "at once". */
const HOW_MANY =
  /\b(?:many|several|few|more|most|both|two|three|four|five|six|seven|eight|nine|ten|eleven|twenty|forty|fifty|sixty|hundred|number)\b|\d|[}%](?:[dis]| \w+)?$/i;

/** A plural just before "at once", as in `requests at once`, which is no verb such as `stops`. */
const PLURAL = /\b(?!(?:it|this|end|stop|succeed|fail|start|write|run|close|come|go)s?$)[a-z]{2,}s$/i;

/** How much of the clause before "at once" is read, in characters. */
const CLAUSE_MAX = 60;

/**
 * Finds each "at once" that does not say how many things happen at the same time. It means `immediately`, or needs the number.
 * @returns the words before it
 */
export function wrongAtOnce(text: string): string[] {
  const inOneLine = text.replaceAll(/\s+(?:(?:\*|\/\/|#)\s+)?/g, ' ');
  let end = 0;
  return [...inOneLine.matchAll(/(?<!")\bat once\b(?! an? )/gi)]
    .map(({ 0: { length }, index }) => {
      const before = inOneLine.slice(Math.max(end, index - CLAUSE_MAX), index);
      end = index + length;
      return before.replace(/^.*[.;:!?()]/s, '').trimEnd();
    })
    .filter((before) => !HOW_MANY.test(before) && !PLURAL.test(before));
}

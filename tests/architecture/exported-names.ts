import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** A name that a package exports, and where it is declared. */
export interface ExportedName {
  readonly name: string;
  readonly file: string;
  readonly declaration: ts.Node;
}

const parsed = new Map<string, ts.SourceFile>();

function parse(file: string): ts.SourceFile {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const tree = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  parsed.set(file, tree);
  return tree;
}

function declarationsIn(tree: ts.SourceFile): ReadonlyMap<string, ts.Node> {
  const found = new Map<string, ts.Node>();
  for (const statement of tree.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) {
        found.set(declaration.name.getText(), declaration);
      }
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    ) {
      // The documentation of an overloaded function is that of its first signature.
      const name = statement.name?.text ?? '';
      if (!found.has(name)) found.set(name, statement);
    }
  }
  return found;
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** Finds the declaration of a name that a file declares, imports or re-exports. @throws Error if it does none of these */
function declarationOf(file: string, name: string): ExportedName {
  const tree = parse(file);
  const declaration = declarationsIn(tree).get(name);
  if (declaration !== undefined) return { name, file, declaration };
  const exported = exportedNames(file).find((one) => one.name === name);
  if (exported === undefined) throw new Error(`${file} does not declare ${name}`);
  return exported;
}

/** Lists the names that a file exports, each with the declaration that its documentation belongs to. */
export function exportedNames(file: string): ExportedName[] {
  const tree = parse(file);
  const own = declarationsIn(tree);
  return tree.statements.flatMap((statement): ExportedName[] => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      if (exportClause === undefined || !ts.isNamedExports(exportClause)) {
        throw new Error(`${file} exports names that it does not list: ${statement.getText()}`);
      }
      const from =
        moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)
          ? join(dirname(file), moduleSpecifier.text)
          : file;
      if (!existsSync(from))
        throw new Error(`${file} re-exports names of another package: ${statement.getText()}`);
      return exportClause.elements.map((element) => ({
        ...declarationOf(from, (element.propertyName ?? element.name).text),
        name: element.name.text,
      }));
    }
    if (!isExported(statement)) return [];
    return [...own].flatMap(([name, declaration]) =>
      declaration === statement || declaration.parent?.parent === statement ? [{ name, file, declaration }] : [],
    );
  });
}

const textOf = (comment: ts.JSDoc['comment']): string => ts.getTextOfJSDocComment(comment)?.trim() ?? '';

/** Returns the text of a declaration's docstring without its tags; '' if it has none. */
export function docstringOf(declaration: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(declaration)
    .filter(ts.isJSDoc)
    .map(({ comment }) => textOf(comment))
    .join('\n');
}

/** The function that a declaration is, or whose value it has. */
function functionOf(declaration: ts.Node): ts.FunctionLikeDeclaration | undefined {
  if (ts.isFunctionDeclaration(declaration)) return declaration;
  const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : undefined;
}

/** Whether the function throws in its own body, rather than in one that it calls or returns. */
export function throwsItself(declaration: ts.Node): boolean {
  const isThrow = (node: ts.Node): boolean => {
    if (ts.isThrowStatement(node)) return true;
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
    return ts.forEachChild(node, (child) => isThrow(child) || undefined) ?? false;
  };
  const body = functionOf(declaration)?.body;
  return body !== undefined && isThrow(body);
}

/** Whether the docstring says which errors a call can throw. */
export function namesErrors(declaration: ts.Node): boolean {
  return ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === 'throws');
}

/** Whether the declaration is a constant number, such as `10 * 1024` or `-1`. */
export function isNumber(declaration: ts.Node): boolean {
  const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  const isPlain = (node: ts.Expression): boolean =>
    ts.isNumericLiteral(node) ||
    (ts.isParenthesizedExpression(node) && isPlain(node.expression)) ||
    (ts.isPrefixUnaryExpression(node) && isPlain(node.operand)) ||
    (ts.isIdentifier(node) && /^[A-Z][A-Z_]*$/.test(node.text)) ||
    (ts.isBinaryExpression(node) && isPlain(node.left) && isPlain(node.right));
  return value !== undefined && isPlain(value);
}

/** The small faults that a module's tests must notice, made of its syntax tree. */

import ts from "typescript";

/** A change of a module's text that should fail a test. */
export interface Mutant {
  /** Where it stands, in UTF-16 code units: from start (inclusive) to end. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The line it begins in, counted from 1. */
  readonly line: number;
  /** That line's text, without the white space around it. */
  readonly lineText: string;
  /** What becomes of what, shortened; with the line's text it names the mutant. */
  readonly change: string;
}

/** Longest part of a change that its name shows, in UTF-16 code units. */
const MAX_SHOWN_LENGTH = 60;

/** Decimal numbers from here on are sizes and times, where one more or less says little. */
const MIN_LARGE_NUMBER = 1_000;

const OPERATORS = new Map<string, readonly string[]>(Object.entries({
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  "+=": ["-="],
  "-=": ["+="],
  "??=": ["="],
}));

const METHODS = new Map(Object.entries({
  min: "max",
  max: "min",
  every: "some",
  some: "every",
  startsWith: "endsWith",
  endsWith: "startsWith",
  toLowerCase: "toUpperCase",
  toUpperCase: "toLowerCase",
  indexOf: "lastIndexOf",
  push: "unshift",
  unshift: "push",
  shift: "pop",
  pop: "shift",
}));

/** Methods whose call is worth leaving out altogether. */
const OMITTED_METHODS = new Set([
  "filter",
  "replace",
  "replaceAll",
  "slice",
  "subarray",
  "toSorted",
  "trim",
]);

/** Finds the mutants of a module's text, in the order in which they stand. */
export function findMutants(path: string, text: string): Mutant[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const seen = new Map<string, number>();
  const mutants: Mutant[] = [];

  function add(start: number, end: number, replacement: string): void {
    const original = text.slice(start, end);
    if (original === replacement) return;
    const { line } = source.getLineAndCharacterOfPosition(start);
    const lineText = lines[line]!.trim();
    const change = `${shorten(original)} → ${shorten(replacement)}`;
    const name = `${line}: ${change}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    mutants.push({
      start,
      end,
      replacement,
      line: line + 1,
      lineText,
      change: count === 1 ? change : `${change} (${count})`,
    });
  }

  function visit(node: ts.Node): void {
    if (isOutOfScope(node)) return;
    for (const [target, replacement] of mutate(node, source)) {
      add(target.getStart(source), target.getEnd(), replacement);
    }
    ts.forEachChild(node, visit);
  }

  visit(source);
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/** Whether nothing below a node takes part when the module runs. */
function isOutOfScope(node: ts.Node): boolean {
  return ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ||
    ts.isTypeNode(node) || ts.isTypeParameterDeclaration(node);
}

/** What to put in the place of a node, or of a part of it. */
function* mutate(
  node: ts.Node,
  source: ts.SourceFile,
): Generator<[target: ts.Node, replacement: string]> {
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    const operator = operatorToken.getText(source);
    for (const other of OPERATORS.get(operator) ?? []) {
      yield [operatorToken, other];
    }
    if (["&&", "||", "??"].includes(operator)) {
      yield [node, left.getText(source)];
      yield [node, right.getText(source)];
    }
  } else if (ts.isIfStatement(node)) {
    yield [node.expression, "true"];
    yield [node.expression, "false"];
  } else if (ts.isConditionalExpression(node)) {
    yield [node.condition, "true"];
    yield [node.condition, "false"];
  } else if (ts.isWhileStatement(node) || ts.isDoStatement(node)) {
    yield [node.expression, "false"];
  } else if (ts.isForStatement(node)) {
    if (node.condition) yield [node.condition, "false"];
  } else if (ts.isPrefixUnaryExpression(node)) {
    yield [node, node.operand.getText(source)];
  } else if (ts.isNumericLiteral(node)) {
    yield* mutateNumber(node, source);
  } else if (
    ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
  ) {
    if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) {
      return;
    }
    yield [node, node.text === "" ? '"mutant"' : '""'];
  } else if (ts.isTemplateExpression(node)) {
    yield [node, '""'];
  } else if (ts.isRegularExpressionLiteral(node)) {
    yield* mutatePattern(node);
  } else if (node.kind === ts.SyntaxKind.TrueKeyword) {
    yield [node, "false"];
  } else if (node.kind === ts.SyntaxKind.FalseKeyword) {
    yield [node, "true"];
  } else if (
    ts.isExpressionStatement(node) || ts.isThrowStatement(node) ||
    ts.isBreakStatement(node) || ts.isContinueStatement(node)
  ) {
    yield [node, ";"];
  } else if (ts.isReturnStatement(node)) {
    // Those read as `undefined` where they are used as a condition.
    if (/^(?:undefined|false)$/.test(node.expression?.getText(source) ?? "")) {
      return;
    }
    yield [node, node.expression ? "return;" : ";"];
  } else if (ts.isArrowFunction(node)) {
    if (!ts.isBlock(node.body)) yield [node.body, "undefined"];
  } else if (ts.isBlock(node)) {
    if (ts.isFunctionLike(node.parent) && node.statements.length > 1) {
      yield [node, "{}"];
    }
  } else if (ts.isCallExpression(node)) {
    yield* mutateCall(node, source);
  } else if (ts.isPropertyAccessExpression(node) && node.questionDotToken) {
    yield [node.questionDotToken, "."];
  } else if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) yield [property, "...{}"];
  } else if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) yield [element, "...[]"];
  }
}

function* mutateNumber(
  node: ts.NumericLiteral,
  source: ts.SourceFile,
): Generator<[ts.Node, string]> {
  const value = Number(node.text);
  const isHexadecimal = /^0x/i.test(node.getText(source));
  if (value >= MIN_LARGE_NUMBER && !isHexadecimal) {
    yield [node, String(10 * value)];
    yield [node, String(Math.floor(value / 10))];
  } else {
    yield [node, String(value + 1)];
    if (value > 0) yield [node, String(value - 1)];
  }
}

function* mutatePattern(
  node: ts.RegularExpressionLiteral,
): Generator<[ts.Node, string]> {
  const end = node.text.lastIndexOf("/");
  const pattern = node.text.slice(1, end);
  const flags = node.text.slice(end + 1);
  for (const flag of flags) {
    yield [node, `/${pattern}/${flags.replace(flag, "")}`];
  }
  const changes: readonly [RegExp, (found: string) => string][] = [
    [/^\^/, () => ""],
    [/(?<!\\)\$$/, () => ""],
    [/(?<!\\)\[\^?/g, (found) => found === "[" ? "[^" : "["],
    [/(?<=[\])\w])[+*]/g, () => ""],
    [/\\[dDsSwW]/g, (found) => swapCase(found)],
    [/\\[pP]\{/g, (found) => swapCase(found)],
  ];
  for (const [part, change] of changes) {
    for (const { 0: found, index } of pattern.matchAll(toGlobal(part))) {
      const changed = pattern.slice(0, index) + change(found) +
        pattern.slice(index + found.length);
      if (changed !== "") yield [node, `/${changed}/${flags}`];
    }
  }
}

function toGlobal(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, "g");
}

function swapCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

function* mutateCall(
  node: ts.CallExpression,
  source: ts.SourceFile,
): Generator<[ts.Node, string]> {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression)) return;
  const { name } = expression;
  const other = METHODS.get(name.text);
  if (other !== undefined) yield [name, other];
  if (OMITTED_METHODS.has(name.text)) {
    yield [node, expression.expression.getText(source)];
  }
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= MAX_SHOWN_LENGTH
    ? line
    : `${line.slice(0, MAX_SHOWN_LENGTH - 1)}…`;
}

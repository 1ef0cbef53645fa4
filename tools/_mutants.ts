/** Small faults in a module's code, found in its syntax tree. */

import ts from "typescript";

/** A change of one expression or statement of a module. */
interface Mutant {
  /** The module's text with the change made. */
  readonly text: string;
  /** Line of the change, counted from 1. */
  readonly line: number;
  /** The original and the replacement, for the report. */
  readonly change: string;
}

/** A part of the module and its replacement. */
type Change = readonly [node: ts.Node, replacement: string];

/** Decimal numbers from here on are sizes and times: one more changes nothing. */
const MIN_LARGE_NUMBER = 1_000;

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
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
};

const METHODS = new Map([
  ["min", "max"],
  ["max", "min"],
  ["every", "some"],
  ["some", "every"],
  ["startsWith", "endsWith"],
  ["endsWith", "startsWith"],
  ["toLowerCase", "toUpperCase"],
  ["toUpperCase", "toLowerCase"],
  ["indexOf", "lastIndexOf"],
  ["push", "unshift"],
  ["unshift", "push"],
  ["shift", "pop"],
  ["pop", "shift"],
]);

/** Methods that return a changed copy: a mutant keeps the original. */
const COPYING_METHODS =
  /^(?:filter|replace|replaceAll|slice|subarray|toSorted|trim)$/;

/** Returns every mutant of a module, in the order of its text. */
export function findMutants(path: string, text: string): Mutant[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return [...findChanges(source, source)].map(([node, replacement]) => {
    const start = node.getStart(source);
    const original = node.getText(source);
    return {
      text: text.slice(0, start) + replacement + text.slice(node.end),
      line: source.getLineAndCharacterOfPosition(start).line + 1,
      change: `${original} → ${replacement}`.replaceAll(/\s+/g, " "),
    };
  });
}

function* findChanges(node: ts.Node, source: ts.SourceFile): Generator<Change> {
  const hasNoCode = ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) || ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) || ts.isTypeNode(node) ||
    ts.isTypeParameterDeclaration(node);
  if (hasNoCode) return;
  yield* changeNode(node, source);
  for (const child of node.getChildren(source)) {
    yield* findChanges(child, source);
  }
}

function* changeNode(node: ts.Node, source: ts.SourceFile): Generator<Change> {
  if (ts.isBinaryExpression(node)) {
    yield* changeOperator(node, source);
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
    const value = Number(node.text);
    const isLarge = value >= MIN_LARGE_NUMBER &&
      !/^0x/i.test(node.getText(source));
    const others = isLarge
      ? [10 * value, Math.floor(value / 10)]
      : [value + 1, Math.max(value - 1, 0)];
    for (const other of others) {
      if (other !== value) yield [node, String(other)];
    }
  } else if (ts.isStringLiteralLike(node)) {
    const isName = ts.isPropertyAssignment(node.parent) &&
      node.parent.name === node;
    if (!isName) yield [node, node.text === "" ? '"mutant"' : '""'];
  } else if (ts.isTemplateExpression(node)) {
    yield [node, '""'];
  } else if (ts.isRegularExpressionLiteral(node)) {
    yield* changePattern(node);
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
    const value = node.expression?.getText(source) ?? "undefined";
    if (value !== "undefined" && value !== "false") yield [node, "return;"];
  } else if (ts.isArrowFunction(node)) {
    if (!ts.isBlock(node.body)) yield [node.body, "undefined"];
  } else if (ts.isCallExpression(node)) {
    yield* changeCall(node, source);
  } else if (ts.isPropertyAccessExpression(node)) {
    if (node.questionDotToken) yield [node.questionDotToken, "."];
  } else if (ts.isObjectLiteralExpression(node)) {
    for (const property of node.properties) yield [property, "...{}"];
  } else if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) yield [element, "...[]"];
  }
}

function* changeOperator(
  node: ts.BinaryExpression,
  source: ts.SourceFile,
): Generator<Change> {
  const { left, operatorToken, right } = node;
  const operator = operatorToken.getText(source);
  for (const other of OPERATORS[operator] ?? []) yield [operatorToken, other];
  if (/^(?:&&|\|\||\?\?)$/.test(operator)) {
    yield [node, left.getText(source)];
    yield [node, right.getText(source)];
  }
}

function* changeCall(
  node: ts.CallExpression,
  source: ts.SourceFile,
): Generator<Change> {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression)) return;
  const { name } = expression;
  const other = METHODS.get(name.text);
  if (other !== undefined) yield [name, other];
  if (COPYING_METHODS.test(name.text)) {
    yield [node, expression.expression.getText(source)];
  }
}

/** Leaves out flags and anchors, negates character classes, drops repetition. */
function* changePattern(node: ts.RegularExpressionLiteral): Generator<Change> {
  const end = node.text.lastIndexOf("/");
  const pattern = node.text.slice(1, end);
  const flags = node.text.slice(end + 1);
  for (const flag of flags) {
    yield [node, `/${pattern}/${flags.replace(flag, "")}`];
  }
  const parts = /^\^|(?<!\\)\$$|(?<!\\)\[\^?|(?<=[\])\w])[+*]|\\[dDsSwWpP]/g;
  for (const { 0: part, index } of pattern.matchAll(parts)) {
    const changed = pattern.slice(0, index) + changePart(part) +
      pattern.slice(index + part.length);
    if (changed !== "") yield [node, `/${changed}/${flags}`];
  }
}

function changePart(part: string): string {
  if (part.startsWith("[")) return part === "[" ? "[^" : "[";
  if (!part.startsWith("\\")) return "";
  const lowerCase = part.toLowerCase();
  return part === lowerCase ? part.toUpperCase() : lowerCase;
}

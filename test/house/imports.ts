/**
 * What a TypeScript file imports and exports, read off its syntax tree, so that
 * comments and strings that look like imports count for nothing. Pure.
 */
import ts from "typescript";

export interface Import {
  /** As written: `../model/time.js`, `node:fs`, `openai/resources`. */
  specifier: string;
  /** `type` is gone when the program runs; `dynamic` is loaded when it is reached. */
  kind: "value" | "type" | "dynamic";
  /** 1-based. */
  line: number;
}

export interface Export {
  kind: "default" | "star" | "from";
  line: number;
}

export interface Module {
  imports: Import[];
  /** The exports that the house has rules for; plain ones are left out. */
  exports: Export[];
}

export function readModule(path: string, text: string): Module {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const imports: Import[] = [];
  const exports: Export[] = [];
  const lineOf = (node: ts.Node): number => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  const add = (node: ts.Node, from: ts.Node | undefined, kind: Import["kind"]): void => {
    if (from !== undefined && ts.isStringLiteralLike(from)) {
      imports.push({ specifier: from.text, kind, line: lineOf(node) });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const isType = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
      add(node, node.moduleSpecifier, isType ? "type" : "value");
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      add(node, node.moduleSpecifier, node.isTypeOnly ? "type" : "value");
    } else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
      add(node, node.moduleReference.expression, node.isTypeOnly ? "type" : "value");
    } else if (ts.isImportTypeNode(node)) {
      add(node, ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, "type");
    } else if (ts.isCallExpression(node) && isLoad(node.expression)) {
      add(node, node.arguments[0], "dynamic");
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const statement of file.statements) {
    const kind = exportKind(statement);
    if (kind !== undefined) exports.push({ kind, line: lineOf(statement) });
  }
  return { imports, exports };
}

/** The package of a specifier: `openai` of `openai/resources`, `@scope/name` of `@scope/name/sub`. */
export function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

export function isRelative(specifier: string): boolean {
  return specifier.startsWith("./") || specifier.startsWith("../");
}

function isLoad(callee: ts.Expression): boolean {
  return (
    callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require")
  );
}

function exportKind(statement: ts.Statement): Export["kind"] | undefined {
  if (ts.isExportAssignment(statement)) return "default";
  if (ts.isExportDeclaration(statement)) {
    if (statement.moduleSpecifier !== undefined) {
      return statement.exportClause === undefined || ts.isNamespaceExport(statement.exportClause)
        ? "star"
        : "from";
    }
    const named = statement.exportClause;
    const isDefault =
      named !== undefined &&
      ts.isNamedExports(named) &&
      named.elements.some((element) => element.name.text === "default");
    return isDefault ? "default" : undefined;
  }
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ? "default" : undefined;
}

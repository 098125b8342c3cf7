import { join } from 'node:path';
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isIdentifier,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isSpreadElement,
  isVariableDeclaration,
  type Node,
  type SourceFile,
  type TypeNode,
} from 'typescript/unstable/ast';
import { API, type Checker, type Type, TypeFlags, type UnionType } from 'typescript/unstable/sync';

/** What a column is said to be: the kinds that its type has, and whether it may be null. */
export interface ColumnType {
  readonly kinds: readonly string[];
  readonly isNullable: boolean;
}

/** A call `query<Row>(statement, …)` in the sources. */
export interface TypedQuery {
  /** Such as `src/store/views/event-views.ts:42`. */
  readonly at: string;
  readonly file: string;
  /**
   * The names that its statement may have, the nearest first: those in its first argument, local
   * constants taken for what they are made of; those in the function around it; those in the calls of
   * that function.
   */
  readonly names: readonly (readonly string[])[];
  /** Whether the statement is put together where it is run. */
  readonly isMadeHere: boolean;
  /** How many values it is given; undefined where that is not written out. */
  readonly values: number | undefined;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** What every column is, of a row type that names none. */
  readonly every: ColumnType | undefined;
}

const root = join(import.meta.dirname, '..', '..', '..');

/** Every typed query of the files, with the members of its row type as the compiler sees them. */
export function readTypedQueries(files: readonly string[]): readonly TypedQuery[] {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error('the compiler knows no project');
    return files.flatMap((file) => {
      const source = project.program.getSourceFile(join(root, file));
      if (source === undefined) throw new Error(`the compiler does not know ${file}`);
      return queriesIn(project.checker, file, source);
    });
  } finally {
    api.close();
  }
}

function queriesIn(checker: Checker, file: string, source: SourceFile): TypedQuery[] {
  const queries: TypedQuery[] = [];
  const locals = new Map<string, Node>();
  walk(source, (node) => {
    if (isVariableDeclaration(node) && isIdentifier(node.name) && node.initializer) {
      locals.set(node.name.text, node.initializer);
    }
  });
  walk(source, (node) => {
    const row = rowOf(node);
    if (row === undefined || !isCallExpression(node)) return;
    const [statement, values] = node.arguments;
    const around = functionAround(node);
    queries.push({
      at: `${file}:${source.text.slice(0, node.end).split('\n').length}`,
      file,
      isMadeHere: statement !== undefined && isObjectLiteralExpression(statement),
      names: [
        statement === undefined ? [] : namesIn(statement, locals),
        around === undefined ? [] : namesIn(around.node, locals),
        around === undefined ? [] : namesInCallsOf(source, around.name),
      ],
      values: values === undefined ? undefined : lengthOf(values),
      ...columnsOf(checker, row),
    });
  });
  return queries;
}

/** The nearest function with a name: a declaration, or a constant that is one. */
function functionAround(node: Node): { readonly node: Node; readonly name: string } | undefined {
  for (let around: Node | undefined = node; around !== undefined; around = around.parent) {
    if (isFunctionDeclaration(around) && around.name !== undefined) {
      return { node: around, name: around.name.text };
    }
    if (!isVariableDeclaration(around) || !isIdentifier(around.name)) continue;
    const { initializer } = around;
    if (initializer !== undefined && isArrowFunction(initializer)) {
      return { node: initializer, name: around.name.text };
    }
  }
  return undefined;
}

function namesInCallsOf(source: Node, name: string): string[] {
  const names: string[] = [];
  walk(source, (node) => {
    if (!isCallExpression(node) || !isIdentifier(node.expression)) return;
    if (node.expression.text !== name) return;
    for (const argument of node.arguments) names.push(...namesIn(argument, new Map()));
  });
  return names;
}

function lengthOf(values: Node): number | undefined {
  if (!isArrayLiteralExpression(values) || values.elements.some(isSpreadElement)) return undefined;
  return values.elements.length;
}

function rowOf(node: Node): TypeNode | undefined {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return undefined;
  return node.expression.name.text === 'query' ? node.typeArguments?.[0] : undefined;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

function namesIn(expression: Node, locals: ReadonlyMap<string, Node>, depth = 0): string[] {
  const names: string[] = [];
  walk(expression, (node) => {
    if (!isIdentifier(node)) return;
    names.push(node.text);
    const local = locals.get(node.text);
    if (local !== undefined && depth < 3) names.push(...namesIn(local, locals, depth + 1));
  });
  return [...new Set(names)];
}

function columnsOf(checker: Checker, row: TypeNode): Pick<TypedQuery, 'columns' | 'every'> {
  const type = checker.getTypeFromTypeNode(row);
  if (type === undefined) return { columns: {}, every: undefined };
  const [index] = checker.getIndexInfosOfType(type);
  const columns = checker
    .getPropertiesOfType(type)
    .map((own) => [own.name, columnType(checker, checker.getTypeOfSymbol(own))] as const);
  return {
    columns: Object.fromEntries(columns),
    every: index && columnType(checker, index.valueType),
  };
}

function columnType(checker: Checker, type: Type | undefined): ColumnType {
  const kinds = (type === undefined ? [] : partsOf(type)).map((part) => kindOf(checker, part));
  return {
    kinds: [...new Set(kinds.filter((kind) => kind !== 'null'))],
    isNullable: kinds.includes('null') || kinds.includes('unknown'),
  };
}

function partsOf(type: Type): readonly Type[] {
  if ((type.flags & TypeFlags.Union) === 0) return [type];
  return (type as UnionType).getTypes();
}

function kindOf(checker: Checker, type: Type): string {
  const text = checker.typeToString(type);
  if (text === 'null' || text === 'undefined') return 'null';
  if (text === 'unknown' || text === 'any') return 'unknown';
  if (text === 'string' || /^["'`]/.test(text)) return 'text';
  if (text === 'number' || /^-?\d/.test(text)) return 'number';
  if (text === 'boolean' || text === 'true' || text === 'false') return 'boolean';
  if (text === 'Date') return 'date';
  if (/^(Buffer|Uint8Array)/.test(text)) return 'bytes';
  return checker.isArrayLikeType(type) ? 'list' : 'json';
}

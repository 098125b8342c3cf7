import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { type Node, parse } from 'acorn';
import { full } from 'acorn-walk';

/** One TypeScript file as the tidy test sees it. Paths are relative to the project, with slashes. */
export interface SourceFile {
  readonly path: string;
  readonly lines: number;
  readonly functions: readonly { readonly name: string; readonly lines: number }[];
  readonly imports: readonly ImportEdge[];
}

export interface ImportEdge {
  /** A project path for a relative import, else the module's name. */
  readonly target: string;
  readonly isRelative: boolean;
  /** Whether it stands in the running program: type imports vanish. */
  readonly isRuntime: boolean;
}

const root = join(import.meta.dirname, '..', '..');

export function listFiles(folder: string, ending: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function readSourceFile(path: string): SourceFile {
  const text = readText(path);
  return {
    path,
    lines: text.split('\n').length - 1,
    functions: functionsOf(text),
    imports: importsOf(path, text),
  };
}

/** `export { a } from` counts as an import: it makes the same edge. */
function importsOf(path: string, text: string): readonly ImportEdge[] {
  const pattern = /^(?:import|export)\s+(type\s+)?([^;]*?)\s*from\s+'([^']+)'/gms;
  const dynamic = /\bimport\(\s*'([^']+)'\s*\)/g;
  const edges = [...text.matchAll(pattern)].map(([, type, names, target]) =>
    edgeOf(path, target ?? '', type === undefined && !onlyTypes(names ?? '')),
  );
  return [
    ...edges,
    ...[...text.matchAll(dynamic)].map(([, target]) => edgeOf(path, target ?? '', true)),
  ];
}

function onlyTypes(names: string): boolean {
  const inner = /^\{([^}]*)\}$/s.exec(names.trim())?.[1];
  if (inner === undefined) return false;
  const parts = inner.split(',').map((part) => part.trim());
  return parts.every((part) => part === '' || part.startsWith('type '));
}

function edgeOf(path: string, target: string, isRuntime: boolean): ImportEdge {
  const isRelative = target.startsWith('.');
  const resolved = isRelative ? normalize(join(dirname(path), target)) : target;
  return { target: resolved, isRelative, isRuntime };
}

interface Named {
  readonly id?: { readonly name?: string } | null;
}

function functionsOf(text: string): SourceFile['functions'] {
  const code = stripTypeScriptTypes(text);
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  const found: { name: string; lines: number }[] = [];
  full(program, (node: Node) => {
    if (!/Function/.test(node.type) || node.loc == null) return;
    const name = (node as Node & Named).id?.name ?? `function at line ${node.loc.start.line}`;
    found.push({ name, lines: node.loc.end.line - node.loc.start.line + 1 });
  });
  return found;
}

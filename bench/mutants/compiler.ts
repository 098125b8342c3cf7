import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

/** A part of a source by another. Lines and columns count from 1, as those of Stryker's results. */
export interface Change {
  readonly fileName: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly replacement: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The compiler as `npm run check` calls it, on a copy of the sources in which one part is exchanged. */
export interface Compiler {
  accepts(change: Change): Promise<boolean>;
}

/**
 * What no compiler takes never comes to a test, nor into a commit. Names that are no longer used and
 * code that is no longer come by do not count: whoever made the bug would have taken them away.
 */
const lenient = { noUnusedLocals: false, noUnusedParameters: false, allowUnreachableCode: true };

/** Copies the sources to a folder of this one, as they are now. */
export async function createCompiler(tempDir: string): Promise<Compiler> {
  const root = process.cwd();
  const copy = join(tempDir, 'compiled');
  await mkdir(copy);
  for (const name of ['src', 'package.json']) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      ...lenient,
      incremental: true,
      tsBuildInfoFile: join(tempDir, 'build-info'),
    },
    include: ['src'],
  };
  await writeFile(join(copy, 'tsconfig.json'), JSON.stringify(settings));
  if (!(await compiles(copy))) throw new Error('the sources do not compile without a mutant');
  return {
    async accepts(change) {
      const path = join(copy, relative(root, resolve(change.fileName)));
      const text = await readFile(path, 'utf8');
      await writeFile(path, changed(text, change));
      const isAccepted = await compiles(copy);
      await writeFile(path, text);
      return isAccepted;
    },
  };
}

function changed(text: string, { location: { start, end }, replacement }: Change): string {
  const lines = text.split('\n');
  const before = [
    ...lines.slice(0, start.line - 1),
    lines[start.line - 1]?.slice(0, start.column - 1),
  ];
  const after = [lines[end.line - 1]?.slice(end.column - 1), ...lines.slice(end.line)];
  return `${before.join('\n')}${replacement}${after.join('\n')}`;
}

async function compiles(dir: string): Promise<boolean> {
  const program = join('node_modules', 'typescript', 'bin', 'tsc');
  const child = spawn(process.execPath, [program, '-p', 'tsconfig.json'], {
    cwd: dir,
    stdio: 'ignore',
  });
  const code = await new Promise<number | null>((end, reject) => {
    child.on('error', reject);
    child.on('exit', end);
  });
  return code === 0;
}

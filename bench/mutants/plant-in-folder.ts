import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { LogLevel, MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import type { Compiler } from './compiler.ts';
import type { MutatedFolder } from './folders.ts';
import { sampleSeedVariable, sampleSizeVariable } from './plugins/sample.ts';
import type { MutantsResult, Survivor } from './result.ts';
import { testsVariable } from './vitest-config.ts';

export interface PlantInput {
  readonly folder: MutatedFolder;
  /** How many mutants are drawn of all. */
  readonly sample: number;
  readonly seed: number;
  /** Where Stryker's copy of the sources stands meanwhile. */
  readonly tempDir: string;
  readonly compiler: Compiler;
}

/**
 * Mutators that are left out. Texts: those of states and kinds are checked by the compiler, others are
 * words for people, and SQL has mutants of its own. `?.`: the compiler asks for it wherever a list is
 * read by an index, whether or not the place can be empty.
 */
const excludedMutations = ['StringLiteral', 'OptionalChaining'];

const isDrawn = ({ status }: MutantResult): boolean =>
  status !== 'Ignored' && status !== 'CompileError';
const isAlive = ({ status }: MutantResult): boolean =>
  status === 'Survived' || status === 'NoCoverage';

/**
 * Plants a sample of a folder's mutants, one at a time, and runs the tests that come by each. Those that
 * live are put to the compiler, which is the first step of `npm test`.
 */
export async function plantInFolder(input: PlantInput): Promise<MutantsResult> {
  const { folder, sample, seed, tempDir } = input;
  process.env[sampleSizeVariable] = String(sample);
  process.env[sampleSeedVariable] = String(seed);
  process.env[testsVariable] = folder.tests.join(',');
  const plugin = (name: string): string => join(import.meta.dirname, 'plugins', `${name}.ts`);
  const pattern = `${folder.source}/**/*.ts`;
  // As they are now: whoever works on the sources meanwhile moves their lines.
  const texts = new Map(
    globSync(pattern).map((path) => [resolve(path), readFileSync(path, 'utf8')]),
  );
  const mutants = await new Stryker({
    mutate: [pattern],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', plugin('sample'), plugin('ignore')],
    checkers: ['sample'],
    ignorers: ['not-promised'],
    ignorePatterns: ['data', 'dist'],
    mutator: { plugins: null, excludedMutations },
    coverageAnalysis: 'perTest',
    // What is reckoned once when a module is loaded is tables: each change of one would run all tests.
    ignoreStatic: true,
    vitest: { configFile: 'bench/mutants/vitest-config.ts', pool: 'forks', related: false },
    // It would load TypeScript to read it, of a version that it does not know.
    tsconfigFile: 'absent.json',
    concurrency: 1,
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 30,
    reporters: ['progress-append-only'],
    logLevel: 'warn' as LogLevel,
    allowConsoleColors: false,
    tempDirName: tempDir,
    cleanTempDir: 'always',
  }).runMutationTest();
  const planted = mutants.filter(isDrawn);
  const untested = planted.filter(isAlive);
  const survivors: Survivor[] = [];
  for (const mutant of untested) {
    if (await input.compiler.accepts(mutant)) survivors.push(toSurvivor(texts, mutant));
  }
  return {
    name: folder.name,
    all: mutants.filter(({ status }) => status !== 'Ignored').length,
    planted: planted.length,
    killedByTests: planted.length - untested.length,
    timedOut: planted.filter(({ status }) => status === 'Timeout').length,
    killedByCompiler: untested.length - survivors.length,
    survivors,
  };
}

/** Lines and columns of Stryker's results count from 1. */
function toSurvivor(texts: ReadonlyMap<string, string>, mutant: MutantResult): Survivor {
  const { fileName, location, replacement, status } = mutant;
  const { start, end } = location;
  return {
    at: `${relative(process.cwd(), fileName)}:${start.line}`,
    original: textBetween(texts.get(resolve(fileName)) ?? '', start, end),
    replacement,
    isUncovered: status === 'NoCoverage',
  };
}

type Position = MutantResult['location']['start'];

function textBetween(text: string, start: Position, end: Position): string {
  const lines = text.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, at) => {
      const upTo = at === last ? end.column - 1 : line.length;
      return line.slice(at === 0 ? start.column - 1 : 0, upTo);
    })
    .join('\n');
}

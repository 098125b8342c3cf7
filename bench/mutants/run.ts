import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isAlive } from '../../src/store/embedded/system/os-user.ts';
import { type Compiler, createCompiler } from './compiler.ts';
import { mutatedFolders } from './folders.ts';
import { plantInFolder } from './plant-in-folder.ts';
import { killedShare, reportOf } from './report.ts';
import type { MutantsResult } from './result.ts';
import { plantInStatements } from './sql/plant-in-statements.ts';

/**
 * Mutants: small bugs put into the sources, one at a time, to see whether the tests beside them fail.
 * Those in TypeScript are Stryker's, a seeded sample of each folder's; those in SQL are kept in
 * `sql/`. Ends with 1 where a part kills less of its mutants than is asked for.
 *
 *   npm run mutants -- --folder policy --folder sql --sample 60 --seed 1
 */
const minKilled = 0.9;

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true },
    sample: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});
const sqlName = 'sql';
const names = [...mutatedFolders.map(({ name }) => name), sqlName];
const asked = values.folder ?? names;
const unknown = asked.filter((name) => !names.includes(name));
const [sample, seed] = [Number(values.sample), Number(values.seed)];
if (unknown.length > 0 || !(sample >= 1) || !Number.isSafeInteger(seed)) {
  process.stderr.write(
    `npm run mutants -- [--folder <name>]… [--sample <count>] [--seed <whole number>]\n` +
      `Folders: ${names.join(', ')}.\n`,
  );
  process.exit(2);
}

const folderShape = /^recoup-mutants-(\d+)-/;
await removeLeftovers();
const tempDir = await mkdtemp(join(tmpdir(), `recoup-mutants-${process.pid}-`));
const tell = (line: string): void => void process.stderr.write(`${line}\n`);
const results: MutantsResult[] = [];
let compiler: Compiler | undefined;
try {
  const folders = mutatedFolders.filter(({ name }) => asked.includes(name));
  for (const folder of folders) {
    compiler ??= await createCompiler(tempDir);
    tell(`${folder.name}: planting ${sample} of its mutants`);
    results.push(await plantInFolder({ folder, sample, seed, tempDir, compiler }));
    process.stdout.write(`${reportOf(results.slice(-1))}\n`);
  }
  if (asked.includes(sqlName)) {
    results.push(await plantInStatements({ sample, seed, tempDir, tell }));
    process.stdout.write(`${reportOf(results.slice(-1))}\n`);
  }
} finally {
  await rm(tempDir, { recursive: true, force: true });
}
if (results.length > 1) process.stdout.write(`${reportOf(results)}\n`);
const isWeak = results.some((result) => killedShare(result) < minKilled);
process.exitCode = isWeak ? 1 : 0;

/** Copies of the sources of runs that were killed. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = folderShape.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}

import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { renderDeclinesDoc } from '../../../src/cli/documents/declines-doc.ts';
import { renderErrorsDoc } from '../../../src/cli/documents/errors-doc.ts';
import {
  findStale,
  renderGeneratedFiles,
  writeStale,
} from '../../../src/cli/documents/generated-files.ts';
import { renderNetworkRulesDoc } from '../../../src/cli/documents/network-rules-doc.ts';
import { renderSimulatorDoc } from '../../../src/cli/documents/simulator-doc.ts';
import {
  actionCodes1993,
  commonDeclineCodes,
  mastercardDeclineCodes,
  visaDeclineCodes,
} from '../../../src/domain/declines/decline-codes.ts';
import { errorRegistry } from '../../../src/domain/errors.ts';
import { ruleSources } from '../../../src/domain/network-rules/rule-sources.ts';
import { networkRules } from '../../../src/domain/network-rules/rules.ts';
import { visaCategories } from '../../../src/domain/network-rules/visa-categories.ts';
import { pspFacts } from '../../../src/domain/psps.ts';
import { acceptanceTargets } from '../../../src/simulator/acceptance.ts';
import { parameterRows } from '../../../src/simulator/parameters.ts';
import { runCli } from '../../kits/run-cli.ts';

it('writes what is missing or changed, and removes what is no longer generated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-generate-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const all = (await renderGeneratedFiles()).map(({ path }) => path);
  expect(await writeStale(folder)).toEqual(all);
  expect(await writeStale(folder)).toEqual([]);

  const errors = join(folder, 'docs/errors.md');
  await appendFile(errors, 'a line by hand\n');
  expect((await findStale(folder)).map(({ path }) => path)).toEqual(['docs/errors.md']);
  expect(await writeStale(folder)).toEqual(['docs/errors.md']);
  expect(await readFile(errors, 'utf8')).toBe(renderErrorsDoc());

  const left = 'sdk/src/client/generated/recovery/refunds.ts';
  await writeFile(join(folder, left), '');
  expect(await writeStale(folder)).toEqual([left]);
  await expect(readFile(join(folder, left))).rejects.toThrow('ENOENT');
});

it('writes OpenAPI documents whose every reference leads somewhere', async () => {
  const files = await renderGeneratedFiles();
  for (const { path, text } of files.filter((file) => file.path.endsWith('.json'))) {
    const document = JSON.parse(text) as { openapi: string; components?: { schemas?: object } };
    expect([path, document.openapi]).toEqual([path, '3.1.0']);
    const known = Object.keys(document.components?.schemas ?? {});
    for (const [, name] of text.matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)) {
      expect(known).toContain(name);
    }
  }
});

it('has a row in docs/errors.md for every code', () => {
  const doc = renderErrorsDoc();
  for (const [code, { what, action }] of Object.entries(errorRegistry)) {
    expect(doc).toContain(`| \`${code}\` | ${what} | ${action} |\n`);
  }
});

it('has a row in docs/declines.md for every code of every table', () => {
  const doc = renderDeclinesDoc();
  const tables = [
    commonDeclineCodes,
    visaDeclineCodes,
    mastercardDeclineCodes,
    actionCodes1993,
    ...Object.values(pspFacts).flatMap(({ declines }) => [
      declines?.codes ?? {},
      declines?.advice ?? {},
      declines?.categories ?? {},
    ]),
  ];
  for (const table of tables) {
    for (const [code, { category, meaning, why }] of Object.entries(table)) {
      const row = doc
        .split('\n')
        .find(
          (line) =>
            (line.startsWith(`| ${code} |`) || line.startsWith(`| \`${code}\` |`)) &&
            line.includes(`\`${category}\``) &&
            line.includes(meaning) &&
            line.includes(why ?? ''),
        );
      expect(row, code).toBeDefined();
    }
  }
});

it('has every rule, source and dated figure in docs/network-rules.md', () => {
  const doc = renderNetworkRulesDoc();
  for (const [id, { words }] of Object.entries(networkRules)) {
    expect(doc).toContain(`| \`${id}\` | ${words}`);
  }
  for (const [source, what] of Object.entries(ruleSources)) {
    expect(doc).toContain(`| ${source} | ${what} |\n`);
  }
  for (const code of Object.keys(visaCategories)) expect(doc).toContain(`| \`${code}\` |`);
  expect(doc).toContain('| `57` | 1 | 2026-10-25 |  | checkoutRewrite |\n');
  expect(doc).toContain('| fee, interregional | 0.25 USD | 2026-04-25 |  | checkoutFees |\n');
  expect(doc).toContain('| `30` | Retry after 10 days | not before 10 days | mastercardAdvice |\n');
});

it('has every figure of the simulated world in docs/simulator.md', () => {
  const doc = renderSimulatorDoc();
  for (const { row, block, words, values } of Object.values(parameterRows)) {
    expect(doc).toContain(`| ${row} | ${block} | ${words} |`);
    for (const [name, value] of Object.entries(values)) {
      expect(doc).toContain(`${name} ${String(value)}`);
    }
  }
  for (const { name } of Object.values(acceptanceTargets)) expect(doc).toContain(`| ${name} |`);
});

it('refuses an option that it does not have', async () => {
  expect(await runCli('generate', ['--chek'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'generate: the only option is --check.\n',
  });
});

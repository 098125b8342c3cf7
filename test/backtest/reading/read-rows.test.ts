import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRows } from '../../../src/backtest/reading/read-rows.ts';

async function linesOf(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-rows-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'history');
  await writeFile(path, text);
  const [rows, faults]: [number[], number[]] = [[], []];
  const sink = {
    row: (_values: unknown, _shape: unknown, line: number) => void rows.push(line),
    fault: (line: number) => void faults.push(line),
  };
  const result = await readRows({ path, shape: 'auto' }, sink);
  return { kind: result.kind, rows, faults };
}

const header = 'id,invoice_id,customer_id,time,amount,currency,status';

test.each([
  ['CSV', `\uFEFF${header}\r\na,b,c,d,e,f,g\r\n\r\na,b\r\n`, [2], [4]],
  ['CSV after empty lines', `\uFEFF\r\n  \r\n${header}\r\na,b,c,d,e,f,g\r\na,b\r\n`, [4], [5]],
  ['JSON lines after an empty one', '\n{"id":"a"}\n{"id":\n', [2], [3]],
])('rows of %s are named by their lines in the file', async (_, text, rows, faults) => {
  expect(await linesOf(text)).toEqual({ kind: 'read', rows, faults });
});

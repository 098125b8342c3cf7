import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from './kit/child.ts';
import { writeHistoryFile } from './kit/history-file.ts';
import { print } from './kit/report.ts';
import type { BacktestCalls } from './processes/backtest.ts';

const minRows = 1_000_000;
const budget = { seconds: 300, bytes: 2 ** 30 };

/** A back-test of a million rows, with every policy: its time and the most memory that it held. */
export async function backtest(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recoup-bench-'));
  try {
    const path = join(folder, 'history.csv');
    await writeHistoryFile({ path, rows: minRows, seed: 1 });
    await using child = startChild<BacktestCalls>('backtest');
    const { rows, failures, readMs, allMs, peakBytes } = await child.call('test', { path });
    const isKept = allMs < budget.seconds * 1000 && peakBytes < budget.bytes;
    print(
      `backtest: ${rows} rows, ${failures} recoveries in ${(allMs / 1000).toFixed(0)} s, ` +
        `${(peakBytes / 2 ** 20).toFixed(0)} MB (budget ${budget.seconds} s, ` +
        `${budget.bytes / 2 ** 20} MB: ${isKept ? 'kept' : 'missed'}); ` +
        `${(readMs / 1000).toFixed(1)} s of it reading`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

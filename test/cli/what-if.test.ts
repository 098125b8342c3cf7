import { beforeEach, describe, expect, it } from 'vitest';
import type { WhatIfNote } from '../../src/recovery/what-if/what-if-ports.ts';
import { createWhatIfStore } from '../../src/store/learned/what-if-store.ts';
import { kitNow, operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';
import { runCli } from '../kits/run-cli.ts';
import { whatIfResult } from '../kits/what-ifs.ts';

let service: OperatorService;
let url: string;
let merchantId: string;
beforeEach(async () => {
  service = await operatorService();
  service.onRequested('what-if', async (input) => {
    const { whatIfId } = input as { whatIfId: string };
    await createWhatIfStore(service.db).note({ whatIfId, at: kitNow, ...ending });
  });
  url = await service.server.listen({ host: '127.0.0.1', port: 0 });
  merchantId = await service.merchant();
});

const whatIf = (...args: string[]) =>
  runCli('recoup', ['what-if', ...args], {
    env: { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken },
  });

const done = { state: 'done', charges: 900, message: '', result: whatIfResult } as const;
/** How the back-test of the worker ends, at once. */
let ending: Omit<WhatIfNote, 'whatIfId' | 'at'> = done;

describe('recoup what-if', () => {
  it('waits for the test, and tells claims from what is not claimed', async () => {
    ending = done;
    const { code, stdout, stderr } = await whatIf(merchantId, '--window', '14', '--tries', '4');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^learned, 14 days, 4 tries\n/);
    expect(stdout).toMatch(/next try +21\.0 % \[18\.0, 24\.0\]; doubly robust 22\.0 %/);
    expect(stdout).toMatch(/n 600, ess 240/);
    expect(stdout).toMatch(/recovers +not claimed: The effective sample is 12 of 300 payments/);
    expect(stdout).toMatch(
      /in EUR +2340 \[1976, 2704\] of 5200 of 260 failed payments; the log 2080 \[1820, 2340\]; the difference 260 \[-104, 624\]; n 250, ess 140/,
    );
    expect(stdout).toMatch(/in JPY +not claimed of 48000 of 40 failed payments: There are 40/);
    const json = await whatIf(merchantId, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ state: 'done', result: { failures: 300 } });
  });

  it('says that terms never try again', async () => {
    ending = { ...done, result: { ...whatIfResult, wouldTry: 0 } };
    const { stdout } = await whatIf(merchantId, '--policy', 'fixed', '--window', '2');
    expect(stdout).toMatch(/next try +none: these terms never try again\n/);
  });

  it('says why a test failed, and refuses a merchant or terms that are not there', async () => {
    expect((await whatIf('mer_none')).code).toBe(1);
    expect((await whatIf(merchantId, '--window', '99')).code).toBe(1);
    ending = { state: 'failed', charges: 0, message: 'the thread ended before its answer' };
    const { code, stderr } = await whatIf(merchantId);
    expect([code, stderr]).toEqual([1, expect.stringContaining('the thread ended')]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { type OperatorKit, operatorKit, operatorToken } from '../kits/operator-server.ts';
import { runCli } from '../kits/run-cli.ts';
import { whatIfOf } from '../kits/what-ifs.ts';

let kit: OperatorKit;
let url: string;
let merchantId: string;
beforeEach(async () => {
  kit = operatorKit();
  url = await kit.server.listen({ host: '127.0.0.1', port: 0 });
  const { merchant } = await kit.api.createMerchant({
    name: 'Acme',
    retryStatusUrl: 'https://acme.example/retry',
    webhookUrl: 'https://acme.example/hook',
    auth: { type: 'none' },
    psps: [],
    policy: { kind: 'fixed', windowDays: 28, maxAttempts: 8, fixedDays: [1] },
    endOfDunning: false,
  });
  merchantId = merchant.merchantId;
});

const whatIf = (...args: string[]) =>
  runCli('recoup', ['what-if', ...args], {
    env: { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken },
  });

/** The next test ends at once, so. */
function endsAs(change: Parameters<typeof whatIfOf>[0]): void {
  kit.api.requestWhatIf = async (input) => {
    const done = whatIfOf({ ...input, ...change });
    kit.api.whatIfs.push(done);
    return done;
  };
}

describe('recoup what-if', () => {
  it('waits for the test, and tells claims from what is not claimed', async () => {
    endsAs({});
    const { code, stdout, stderr } = await whatIf(merchantId, '--window', '14', '--tries', '4');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^learned, 14 days, 4 tries\n/);
    expect(stdout).toMatch(/next try +21\.0 % \[18\.0, 24\.0\]; doubly robust 22\.0 %/);
    expect(stdout).toMatch(/n 600, ess 240/);
    expect(stdout).toMatch(/recovers +not claimed: The effective sample is 12 of 300 decisions/);
    const json = await whatIf(merchantId, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ state: 'done', result: { failures: 300 } });
  });

  it('says why a test failed, and refuses a merchant or terms that are not there', async () => {
    expect((await whatIf('mer_none')).code).toBe(1);
    expect((await whatIf(merchantId, '--window', '99')).code).toBe(1);
    endsAs({ state: 'failed', words: 'the thread ended before its answer' });
    const { code, stderr } = await whatIf(merchantId);
    expect([code, stderr]).toEqual([1, expect.stringContaining('the thread ended')]);
  });
});

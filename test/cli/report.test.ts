import { beforeEach, describe, expect, it } from 'vitest';
import { type OperatorKit, operatorKit, operatorToken } from '../kits/operator-server.ts';
import { runCli } from '../kits/run-cli.ts';
import { upliftGroup } from '../kits/uplift-groups.ts';

let kit: OperatorKit;
let url: string;
beforeEach(async () => {
  kit = operatorKit();
  url = await kit.server.listen({ host: '127.0.0.1', port: 0 });
});

const report = (...args: string[]) =>
  runCli('recoup', ['report', ...args], {
    env: { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken },
  });

describe('recoup report', () => {
  it('shows every figure with its interval and its n', async () => {
    kit.api.uplift = Array.from({ length: 25 }, (_, group) => [
      upliftGroup({ arm: 'learned', group, recovered: 3 }),
      upliftGroup({ arm: 'holdout', group, recovered: 2, otherFees: 1 }),
      upliftGroup({ arm: 'learned', group, recovered: 3, dimension: 'cohort', part: '2026-03-02' }),
    ]).flat();
    const { code, stdout, stderr } = await report('--since', '2026-03-01T00:00:00Z');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^EUR ALL PAYMENTS +ARM +N +OPEN +RECOVERED %/);
    expect(stdout).toMatch(/\n +learned +100 +0 +75\.0 \[75\.0, 75\.0\]/);
    expect(stdout).toMatch(/\n +learned - holdout +100 - 100 +- +25\.0 \[25\.0, 25\.0\]/);
    expect(stdout).toMatch(/\nEUR BY WEEK OF THE FAILURE .*\n2026-03-02 +learned +100 /);
    expect(stdout).toContain('25 payments have fees in another currency: not counted.');
    expect(kit.api.calls.at(-1)?.input).toEqual({ since: new Date('2026-03-01T00:00:00Z') });
  });

  it('says that there is nothing to compare, and gives the JSON of the API', async () => {
    kit.api.uplift = [upliftGroup({ arm: 'learned', group: 1, recovered: 1 })];
    const text = await report();
    expect(text.stdout).toMatch(/^There is no holdout: nothing to compare with\.\n/);
    const json = await report('--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      parts: [{ arms: [{ payments: 4, figures: { recovered_rate: { value: 0.25 } } }] }],
    });
  });
});

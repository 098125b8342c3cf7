import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/recovery/checkup/finding.ts';
import { operatorKit, operatorToken } from '../kits/operator-server.ts';
import { type CliRun, runCli } from '../kits/run-cli.ts';

const good: Finding = {
  check: 'migrations',
  verdict: 'good',
  found: 'The database has this version.',
};
const bad: Finding = {
  check: 'psp',
  verdict: 'bad',
  found: 'stripe refuses the credentials: revoked.',
  action: 'Run recoup psps connect mer_1 stripe --from <file> with valid ones.',
  merchantId: 'mer_1',
};

async function doctor(findings: readonly Finding[], args: readonly string[] = []): Promise<CliRun> {
  const { server } = operatorKit({ checkup: async () => findings });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return runCli('recoup', ['doctor', ...args], {
    env: { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken },
  });
}

describe('recoup doctor', () => {
  test('ends with 0 where nothing is broken', async () => {
    const run = await doctor([
      good,
      { ...good, check: 'clock', verdict: 'warning', action: 'Look.' },
    ]);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain('ok    migrations       The database has this version.\n');
    expect(run.stdout).toMatch(/3 checks: 2 in order, 1 to look at, 0 broken\.\n$/);
  });

  test('ends with 1 and says what to do where something is', async () => {
    const run = await doctor([good, bad]);
    expect([run.code, run.stderr]).toEqual([1, 'recoup: 1 of the checks failed.\n']);
    expect(run.stdout).toContain(
      'BAD   psp              mer_1: stripe refuses the credentials: revoked.\n' +
        '                       -> Run recoup psps connect mer_1 stripe --from <file> with valid ones.\n',
    );
  });

  test('gives it as JSON', async () => {
    const run = await doctor([bad], ['--json']);
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      healthy: false,
      items: [
        { check: 'operator_api', verdict: 'good' },
        { check: 'psp', merchant_id: 'mer_1' },
      ],
    });
  });

  test('ends with 3 where the service does not answer, and with 1 for a wrong token', async () => {
    const gone = await runCli('recoup', ['doctor'], {
      env: { OPERATOR_URL: 'http://127.0.0.1:9' },
    });
    expect(gone.code).toBe(3);
    const { server } = operatorKit();
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const refused = await runCli('recoup', ['doctor'], {
      env: { OPERATOR_URL: url, OPERATOR_TOKEN: 'another-token-of-the-operator' },
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('[operator_unauthorized]');
  });

  test('warns of a listener that takes no connection', async () => {
    const { server } = operatorKit();
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    const run = await runCli('recoup', ['doctor'], {
      env: {
        OPERATOR_PORT: new URL(url).port,
        OPERATOR_TOKEN: operatorToken,
        RECOVERY_PORT: new URL(url).port,
        DISPUTES_PORT: '9',
      },
    });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^ok {4}port {13}The recovery API at 127\.0\.0\.1:\d+ takes/m);
    expect(run.stdout).toMatch(/^warn {2}port {13}The disputes API at 127\.0\.0\.1:9 takes none/m);
  });
});

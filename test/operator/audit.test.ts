import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fieldsOf, operatorKit, operatorToken } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { runCli } from '../kits/run-cli.ts';
import { tamper } from '../kits/tamper.ts';

it('an act stands in it with who, from where, and the old and the new value', async () => {
  const { ask, merchant } = await operatorService();
  const id = await merchant();
  const secret = 'https://billing.acme.example/hooks?token=keep-this';
  await ask('PATCH', `/api/merchants/${id}`, { name: 'Acme Ltd', webhook_url: secret });
  const { json } = await ask('GET', `/api/audit?merchant_id=${id}`);
  expect(json.items).toMatchObject([
    {
      chain: id,
      line: 2,
      merchant_id: id,
      actor: 'operator',
      address: '127.0.0.1',
      action: 'merchant.changed',
      before: {
        name: 'Acme',
        webhook_url: 'https://billing.acme.example/webhooks/retry-results',
      },
      after: { name: 'Acme Ltd', webhook_url: 'https://billing.acme.example/hooks?…' },
    },
    {
      line: 1,
      action: 'merchant.created',
      after: { retry_status_url: 'https://billing.acme.example/retry/{invoice_id}' },
    },
  ]);
  expect(Object.keys(json.items[0].after)).toEqual(['name', 'webhook_url']);
  expect(JSON.stringify(json)).not.toContain('keep-this');
  expect(json.items[0].hash).toMatch(/^[0-9a-f]{64}$/);
});

it('is narrowed by who, act and time, and refuses what is none of these', async () => {
  const { ask, merchant, clock } = await operatorService();
  await merchant();
  const count = async (query: string) =>
    (await ask('GET', `/api/audit?${query}`)).json.items.length;
  expect(await count('actor=operator&action=merchant.')).toBe(1);
  expect(await count('actor=merchant')).toBe(0);
  expect(await count('action=merchant.changed')).toBe(0);
  expect(await count(`from=${clock.at.toISOString()}`)).toBe(1);
  expect(await count(`to=${clock.at.toISOString()}`)).toBe(0);
  expect(await count('merchant_id=mer_nobody')).toBe(0);
  const refused = await operatorKit().ask('GET', '/api/audit?actor=a%20b&action=%25');
  expect(fieldsOf(refused)).toEqual([
    'actor: Input should be who a line names',
    'action: Input should be an act, such as payment.stopped or payment.',
  ]);
});

it('recoup audit lists it, and verify ends with 1 at the first broken line', async () => {
  const { ask, merchant, db, server } = await operatorService();
  const id = await merchant();
  await ask('PATCH', `/api/merchants/${id}`, { name: 'Acme Ltd' });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  const recoup = (...args: string[]) => runCli('recoup', ['audit', ...args], { env });
  const [listed, right, json] = await Promise.all([
    recoup('list', '--merchant', id),
    recoup('verify'),
    recoup('verify', '--json'),
  ]);
  expect(listed.stdout).toMatch(/127\.0\.0\.1 +merchant\.changed .*name=Acme +name="Acme Ltd"/);
  expect([right.code, right.stdout]).toEqual([
    0,
    '2 lines in 1 chains: each follows the one before.\n',
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'recoup-audit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const heads = join(folder, 'heads.json');
  await writeFile(heads, json.stdout);
  await ask('PATCH', `/api/merchants/${id}`, { name: 'Acme' });
  expect((await recoup('verify', '--known', heads)).code).toBe(0);
  await tamper(db.pool, ['audit_log'], ["update audit_log set actor = 'somebody' where line = 2"]);
  const broken = await recoup('verify');
  expect(broken.code).toBe(1);
  expect(broken.stderr).toBe(`recoup: The audit log is broken: line 2 of ${id}: it was changed.\n`);
  expect((await recoup('verify', '--known', 'package.json')).code).toBe(2);
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cardsOf, failedEvent } from '../kits/billing-events.ts';
import { readLedgerFile } from '../kits/ledger-file.ts';
import { type Service, useServices } from '../kits/service.ts';
import {
  advance,
  brokenPromises,
  expectStatus,
  operatorApi,
  recoveryApi,
  serviceNow,
  showPayment,
} from '../kits/service-calls.ts';

const services = useServices();
const charges = 50;

/** The lines of docs/operating.md, as they stand there. */
function drill(step: 'backup' | 'restore', dataDir: string): string {
  const doc = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8');
  const [, script = ''] = /```bash drill\n([\s\S]*?)```/.exec(doc) ?? [];
  expect(script).not.toBe('');
  const backup = join(dataDir, 'backup');
  const env = { ...process.env, DATA_DIR: dataDir, BACKUP: backup };
  execFileSync('bash', ['-c', script, 'drill', step], { env });
  return readFileSync(`${backup}.time`, 'utf8').trim();
}

const invoices = Array.from({ length: charges }, (_, index) => `in_${index + 1}`);

async function submit(service: Service): Promise<void> {
  const at = await serviceNow(service);
  for (const [index, id] of invoices.entries()) {
    const name = index % 2 === 0 ? 'pm_sandbox_success' : 'pm_sandbox_success_after_3';
    const event = failedEvent({ invoiceId: id, methods: cardsOf(id, [name]), at });
    await expectStatus(recoveryApi(service).post('/recover/payments', event), 200);
  }
}

test('charges made after a backup are recorded after its restore, and none is made twice', async () => {
  let service = await services.start();
  const { dataDir } = service;
  await submit(service);
  // Applied and planned, and none of them due.
  await advance(service, 'PT1M');
  await service.stop();
  const restoredFrom = drill('backup', dataDir);
  expect(await readLedgerFile(dataDir).catch(() => [])).toEqual([]);

  service = await services.start({ dataDir });
  for (const id of invoices) {
    await expectStatus(recoveryApi(service).post(`/recover/payments/${id}/retry`, {}), 200);
  }
  await advance(service, 'PT1M');
  const made = await readLedgerFile(dataDir);
  expect(made).toHaveLength(charges);
  const succeeded = made.filter(({ status }) => status === 'succeeded').length;
  expect(succeeded).toBe(charges / 2);
  await service.stop();
  drill('restore', dataDir);

  // Killed in the middle of the check, wherever that is; the next start goes on.
  service = await services.start({ dataDir, env: { RESTORED_FROM: restoredFrom } });
  await service.kill();
  service = await services.start({ dataDir, env: { RESTORED_FROM: restoredFrom } });
  const api = operatorApi(service);
  const checked = async () =>
    (await expectStatus(api.get('/api/restore-checks'), 200)).items[0]?.state;
  await expect.poll(checked, { timeout: 60_000, interval: 200 }).toBe('done');
  expect((await api.get('/readyz')).status).toBe(200);
  expect(await readLedgerFile(dataDir)).toHaveLength(charges);
  for (const [index, id] of invoices.entries()) {
    expect(await showPayment(recoveryApi(service), id)).toMatchObject({
      status: index % 2 === 0 ? 'recovered' : 'scheduled',
      attempts: [{ status: index % 2 === 0 ? 'succeeded' : 'declined' }],
    });
  }
  await advance(service, 'P20D');
  const after = await readLedgerFile(dataDir);
  const paid = after.filter(({ status }) => status === 'succeeded').map(({ invoice }) => invoice);
  expect(new Set(paid).size).toBe(paid.length);
  expect(await brokenPromises(service)).toEqual([]);
});

import { expect, it } from 'vitest';
import { operatorService } from '../kits/operator-service.ts';

it('begins one comparison for each account, and lists the newest first, page by page', async () => {
  const { ask, merchant, requested, clock } = await operatorService();
  const [first, second] = [await merchant(), await merchant()];
  const begun = await ask('POST', '/api/reconciliations', { merchant_id: first });
  expect([begun.status, begun.json.items]).toMatchObject([
    202,
    [{ merchant_id: first, psp: 'sandbox', state: 'running', listed: 0 }],
  ]);
  clock.at = new Date(clock.at.getTime() + 1_000);
  await ask('POST', '/api/reconciliations', { merchant_id: second });
  expect(requested.map(({ name }) => name)).toEqual(['reconciliation', 'reconciliation']);
  const merchantsOf = async (query: string) => {
    const { json } = await ask('GET', `/api/reconciliations${query}`);
    return json.items.map((item: { merchant_id: string }) => item.merchant_id);
  };
  expect(await merchantsOf('')).toEqual([second, first]);
  expect(await merchantsOf(`?merchant_id=${first}`)).toEqual([first]);
  const { next_cursor: cursor } = (await ask('GET', '/api/reconciliations?limit=1')).json;
  expect(await merchantsOf(`?limit=1&cursor=${cursor}`)).toEqual([first]);
  expect((await ask('GET', '/api/reconciliations?cursor=c')).status).toBe(400);
});

it('stands in the audit log: who had what compared, and which backup looked at', async () => {
  const { ask, merchant } = await operatorService();
  const id = await merchant();
  const since = '2026-02-01T00:00:00.000Z';
  await ask('POST', '/api/reconciliations', { merchant_id: id, psp: 'sandbox', since });
  await ask('POST', '/api/reconciliations', {});
  const restored_from = '2026-03-01T04:00:00.000Z';
  await ask('POST', '/api/restore-checks', { restored_from });
  const linesOf = async (chain: string) =>
    (await ask('GET', `/api/audit?merchant_id=${encodeURIComponent(chain)}`)).json.items;
  const by = { actor: 'operator', address: '127.0.0.1' };
  const action = 'reconciliation.begun';
  const [one] = await linesOf(id);
  expect(one).toMatchObject({ ...by, action });
  expect(one.detail).toEqual({ psp: 'sandbox', since, source: 'api', accounts: 1 });
  expect(await linesOf('*')).toMatchObject([
    { ...by, action: 'restore_check.begun', detail: { restored_from } },
    { ...by, action, detail: { source: 'api', accounts: 1 } },
  ]);
});

it('compares nothing in silence for a merchant or a PSP that there is not', async () => {
  const { ask, requested } = await operatorService();
  const unknown = await ask('POST', '/api/reconciliations', { merchant_id: 'mer_mistyped' });
  expect([unknown.status, unknown.json.error.code]).toEqual([404, 'not_found']);
  const other = await ask('POST', '/api/reconciliations', { psp: 'strype' });
  expect([other.status, other.json.error.fields]).toMatchObject([400, [{ field: 'psp' }]]);
  expect(requested).toEqual([]);
});

it('begins the check of a restored backup once for each time, and lists it', async () => {
  const { ask } = await operatorService();
  const restored = { restored_from: '2026-03-01T04:00:00.000Z' };
  const check = { ...restored, state: 'running', payments: 0 };
  for (const reply of [
    await ask('POST', '/api/restore-checks', restored),
    await ask('POST', '/api/restore-checks', restored),
  ]) {
    expect([reply.status, reply.json]).toMatchObject([202, check]);
  }
  expect((await ask('GET', '/api/restore-checks')).json.items).toMatchObject([check]);
});

it('compares nothing else while the check of a restored backup runs, and says what to wait for', async () => {
  const { ask, merchant, requested } = await operatorService();
  await merchant();
  await ask('POST', '/api/restore-checks', { restored_from: '2026-03-01T04:00:00.000Z' });
  const asked = requested.length;
  const refused = await ask('POST', '/api/reconciliations', {});
  expect([refused.status, refused.json.error.code]).toEqual([409, 'conflict']);
  expect(refused.json.error.message).toContain('recoup restore-check');
  expect((await ask('GET', '/api/reconciliations')).json.items).toEqual([]);
  expect(requested).toHaveLength(asked);
});

it('begins no check of a backup of a time to come: it would look for no charge', async () => {
  const { ask, clock, requested } = await operatorService();
  const later = new Date(clock.at.getTime() + 1).toISOString();
  const refused = await ask('POST', '/api/restore-checks', { restored_from: later });
  expect([refused.status, refused.json.error.code]).toEqual([400, 'invalid_request']);
  expect(refused.json.error.message).toContain(`is ${later} but must not be later than now`);
  expect((await ask('GET', '/api/restore-checks')).json.items).toEqual([]);
  expect(requested).toEqual([]);
  const now = { restored_from: clock.at.toISOString() };
  expect((await ask('POST', '/api/restore-checks', now)).status).toBe(202);
});

it('takes a report of some thousand payments, and says of one that is larger what to do', async () => {
  const { ask, merchant } = await operatorService();
  const merchant_id = await merchant();
  const report = (bytes: number) => ({
    merchant_id,
    psp: 'adyen',
    report: 'a,b\r\n'.repeat(bytes / 5),
  });
  const read = await ask('POST', '/api/reconciliations', report(500_000));
  expect([read.status, read.json.error.code]).not.toContain('payload_too_large');
  expect(read.status).not.toBe(413);
  const larger = await ask('POST', '/api/reconciliations', report(5_000_000));
  expect([larger.status, larger.json.error]).toEqual([
    413,
    {
      code: 'report_too_large',
      message:
        'The report is too large. Send at most 4 MiB: take it over fewer days, or cut it into parts that each begin with the names of the columns.',
    },
  ]);
  const without = await ask('POST', '/api/restore-checks', { restored_from: 'x'.repeat(70_000) });
  expect([without.status, without.json.error.code]).toEqual([413, 'payload_too_large']);
});

it('says whether a report cannot be read, or its PSP is not connected', async () => {
  const { ask, merchant } = await operatorService();
  const asked = { merchant_id: await merchant(), report: 'a,b\r\n' };
  const refusalOf = async (psp: string) => {
    const { status, json } = await ask('POST', '/api/reconciliations', { ...asked, psp });
    return [status, json.error.message];
  };
  expect(await refusalOf('sandbox')).toEqual([
    400,
    'Recoup reads no reports of the sandbox. Begin without a report: the list that the PSP gives itself is compared.',
  ]);
  expect(await refusalOf('adyen')).toEqual([
    400,
    'The merchant has no connection to Adyen. Connect it, or name the PSP that the report is from.',
  ]);
});

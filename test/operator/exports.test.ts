import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  listsOfAll,
  listsOfCustomer,
  listsOfOne,
} from '../../src/cli/commands/exports/exported-lists.ts';
import { exportEndpoints } from '../../src/operator/exports/export-endpoints.ts';
import type { Queryable } from '../../src/store/database.ts';
import { insertRows } from '../kits/insert-rows.ts';
import { operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';
import { runCli } from '../kits/run-cli.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

async function exported({ server }: OperatorService, path: string, token = operatorToken) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.inject({ url: `/api/export/${path}`, headers });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
}

async function linesOf(service: OperatorService, path: string): Promise<readonly string[]> {
  const { status, text } = await exported(service, path);
  expect(status).toBe(200);
  return text.trimEnd().split(/\r?\n/);
}

/** More than two pages of rows, of which every third is scheduled. */
async function withManyPayments(changes: Parameters<typeof operatorService>[0] = {}) {
  const service = await operatorService(changes);
  const merchantId = await service.merchant();
  await seedPayment(service.db, { merchantId, invoiceId: 'in_0', state: 'scheduled' });
  const { rows } = await service.db.pool.query('select to_jsonb(p) as payment from payments p');
  const scheduled = rows[0].payment;
  const ended = { ...scheduled, state: 'exhausted', due_action: null, next_attempt_at: null };
  const payments = Array.from({ length: 1_200 }, (_, index) => ({
    ...((index + 1) % 3 === 0 ? scheduled : ended),
    invoice_id: `in_${index + 1}`,
  }));
  await insertRows(service.db.pool, 'payments', payments);
  return { service, merchantId };
}

describe('the export of a list', () => {
  it('has every row of every page once, by the filters of the list', async () => {
    const { service, merchantId } = await withManyPayments();
    const [head, ...rows] = await linesOf(service, 'payments');
    expect(head).toMatch(/^merchant_id,invoice_id,customer_id,status,/);
    expect(new Set(rows.map((row) => row.split(',')[1]))).toEqual(
      new Set(Array.from({ length: 1201 }, (_, n) => `in_${n}`)),
    );
    expect(rows).toHaveLength(1201);
    const filters = `status=scheduled&merchant_id=${merchantId}`;
    const some = await linesOf(service, `payments?${filters}&format=ndjson`);
    expect(some).toHaveLength(401);
    const { json } = await service.ask('GET', `/api/payments?${filters}&limit=1`);
    expect(JSON.parse(some[0] ?? '')).toEqual(json.items[0]);
    expect((await linesOf(service, 'payments?search=in_7'))[1]).toContain(',in_7,');
  });

  it('writes money with all its decimals, and no cell that a spreadsheet takes for a formula', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant({ name: '=cmd|"/c calc"!A1' });
    const seed = (invoiceId: string, amount_minor: number, currency: string) =>
      seedPayment(service.db, {
        merchantId,
        invoiceId,
        amount_minor,
        currency,
        customer_id: '@SUM(1)',
      });
    await seed('+1', 4_250, 'EUR');
    await seed('-2', 1_000, 'JPY');
    await seed('in,"3"', 100_000_000_005, 'KWD');
    const [, ...rows] = await linesOf(service, 'payments');
    expect(rows.map((row) => row.slice(merchantId.length + 1)).sort()).toEqual([
      expect.stringMatching(/^"in,""3""",'@SUM\(1\),\w+,,,100000000\.005,KWD,/),
      expect.stringMatching(/^'\+1,'@SUM\(1\),\w+,,,42\.50,EUR,/),
      expect.stringMatching(/^'-2,'@SUM\(1\),\w+,,,1000,JPY,/),
    ]);
    expect((await linesOf(service, 'merchants'))[1]).toContain(`,"'=cmd|""/c calc""!A1",`);
    const inJson = await linesOf(service, 'merchants?format=ndjson');
    expect(JSON.parse(inJson[0] ?? '').name).toBe('=cmd|"/c calc"!A1');
  });

  it('stands in the audit log with its filters, without the address of a payer', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    await linesOf(service, `payments?merchant_id=${merchantId}&search=payer%40example.com`);
    await linesOf(service, `merchants/${merchantId}/deliveries?status=pending`);
    const { json } = await service.ask('GET', `/api/audit?action=list.exported`);
    expect(
      json.items.map(({ actor, merchant_id, detail }: Record<string, unknown>) => [
        actor,
        merchant_id,
        detail,
      ]),
    ).toEqual([
      [
        'operator',
        merchantId,
        { list: '/api/merchants/{id}/deliveries', filters: { status: 'pending' } },
      ],
      [
        'operator',
        merchantId,
        {
          list: '/api/payments',
          filters: { merchant_id: merchantId, search: 'an e-mail address' },
        },
      ],
    ]);
    expect(JSON.stringify(json)).not.toContain('payer@example.com');
  });

  it('gives an operator of some merchants those alone, and nobody what their role may not read', async () => {
    const service = await operatorService();
    const [own, other] = [await service.merchant(), await service.merchant({ name: 'Other' })];
    await seedPayment(service.db, { merchantId: own, invoiceId: 'in_own' });
    await seedPayment(service.db, { merchantId: other, invoiceId: 'in_other' });
    const person = { name: 'K. Ito', role: 'viewer', merchants: [own] };
    const { json: added } = await service.ask('POST', '/api/operators', person);
    const issued = await service.ask('POST', `/api/operators/${added.id}/tokens`);
    const ask = (path: string) => exported(service, path, issued.json.text);
    expect((await ask('payments')).text).toMatch(/in_own/);
    expect((await ask('payments')).text).not.toMatch(/in_other/);
    expect((await ask(`payments?merchant_id=${other}`)).status).toBe(404);
    expect((await ask(`merchants/${other}/deliveries`)).status).toBe(404);
    expect((await ask('audit')).status).toBe(403);
    expect((await ask('merchants')).text).toMatch(own);
    expect((await ask('merchants')).text).not.toMatch(other);
  });

  it('refuses what the list refuses, and what it does not know', async () => {
    const service = await operatorService();
    expect((await exported(service, 'payments?status=none')).status).toBe(400);
    expect((await exported(service, 'payments?cursor=abc')).status).toBe(400);
    expect((await exported(service, 'payments?format=xlsx')).status).toBe(400);
    expect((await exported(service, 'payments?merchant_id=mer_none')).status).toBe(404);
    expect((await exported(service, 'payments', 'wrong')).status).toBe(401);
  });

  it('is one of eight at once, however fast they are asked for, and a refused one takes no room', async () => {
    const gate = Promise.withResolvers<void>();
    const { service } = await withManyPayments({
      reports: {
        async query(...of: Parameters<Queryable['query']>) {
          await gate.promise;
          return service.db.query(...of);
        },
      } as Queryable,
    });
    for (let n = 0; n < 9; n += 1) {
      expect((await exported(service, 'payments?merchant_id=mer_none')).status).toBe(404);
    }
    const asked = Array.from({ length: 9 }, () => exported(service, 'payments?format=ndjson'));
    const refused = await Promise.race(asked);
    expect(refused.status).toBe(429);
    gate.resolve();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array(8).fill(200), 429]);
    expect((await exported(service, 'payments?format=ndjson')).status).toBe(200);
  });

  it('is cut off once whoever asked may not ask any more', async () => {
    const second = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const { service } = await withManyPayments({
      reports: {
        async query(...of: Parameters<Queryable['query']>) {
          const isPage = of[0].name.startsWith('list_operator_payments');
          if (isPage) asked += 1;
          if (isPage && asked === 2) {
            second.resolve();
            await gate.promise;
          }
          return service.db.query(...of);
        },
      } as Queryable,
    });
    const { json: added } = await service.ask('POST', '/api/operators', {
      name: 'K. Ito',
      role: 'viewer',
    });
    const issued = await service.ask('POST', `/api/operators/${added.id}/tokens`);
    const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
    const headers = { authorization: `Bearer ${issued.json.text}` };
    const answer = await fetch(`${url}/api/export/payments`, { headers });
    const text = answer.text();
    await second.promise;
    await service.ask('DELETE', `/api/operators/${added.id}`);
    await expect(text).rejects.toThrow();
    gate.resolve();
  });
});

/** The rows of an export as JSON. */
async function rowsOf(service: OperatorService, path: string): Promise<readonly object[]> {
  const { status, text } = await exported(service, `${path}?format=ndjson`);
  expect(status, text).toBe(200);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('an answer that holds several lists', () => {
  it('of alerts gives each of them, and of a channel no more than its list shows', async () => {
    const service = await operatorService();
    const { ask, db, clock } = service;
    const merchantId = await service.merchant();
    const [first_seen_at, key] = [clock.at, `incidents/${merchantId}`];
    await db.pool.query(
      `insert into alert_states (alert_key, kind, merchant_id, count, title, detail, at, first_seen_at)
       values ($1, 'incidents', $2, 1, 'Acme: 1 incident', 'one', $3, $3)`,
      [key, merchantId, first_seen_at],
    );
    const target = { kind: 'slack', url: 'https://hooks.example.com/services/T0/B0/secret-part' };
    const channel = await ask('POST', '/api/alert-channels', { name: 'On call', target });
    const route = await ask('POST', `/api/alert-channels/${channel.json.id}/routes`, {
      severities: ['page'],
    });
    const silence = await ask('POST', '/api/alert-silences', {
      kind: 'incidents',
      reason: 'known',
      minutes: 60,
    });
    const listed = {
      ...(await ask('GET', '/api/alerts')).json,
      ...(await ask('GET', '/api/alert-channels')).json,
    };
    expect(listed).toMatchObject({
      alerts: [{ key, is_silenced: true }],
      silences: [{ id: silence.json.id }],
      channels: [{ id: channel.json.id }],
      routes: [{ id: route.json.id }],
    });
    expect(await rowsOf(service, 'alerts')).toEqual(listed.alerts);
    expect(await rowsOf(service, 'alert-silences')).toEqual(listed.silences);
    expect(await rowsOf(service, 'alert-channels')).toEqual(listed.channels);
    expect(await rowsOf(service, 'alert-routes')).toEqual(listed.routes);
    const [head, row] = await linesOf(service, 'alert-channels');
    expect(head).toBe('id,name,kind,hint,is_paused,last_sent_at,failing_since,last_error');
    expect(row).not.toContain('secret-part');
    const other = await service.merchant({ name: 'Other' });
    expect(await linesOf(service, `alerts?merchant_id=${other}`)).toHaveLength(1);
  });

  it('of models gives those and their trainings, of the merchants that its reader sees', async () => {
    const service = await operatorService();
    const [own, other] = [await service.merchant(), await service.merchant({ name: 'Other' })];
    await service.ask('POST', '/api/models/train', { merchant_id: own });
    await service.ask('POST', '/api/models/train', { merchant_id: other });
    const { json } = await service.ask('GET', '/api/models');
    expect(json.trainings).toHaveLength(2);
    expect(await rowsOf(service, 'trainings')).toEqual(json.trainings);
    expect(await rowsOf(service, 'models')).toEqual(json.models);
    const [head] = await linesOf(service, 'models');
    expect(head).toMatch(/^id,merchant_id,status,origin,metrics,drift\.tries,/);
    const person = { name: 'K. Ito', role: 'viewer', merchants: [own] };
    const { json: added } = await service.ask('POST', '/api/operators', person);
    const { json: token } = await service.ask('POST', `/api/operators/${added.id}/tokens`);
    const { text } = await exported(service, 'trainings', token.text);
    expect([text.includes(own), text.includes(other)]).toEqual([true, false]);
  });

  it('of a customer gives what their page shows, and the audit log says whose it was', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    const of = { merchantId, customer_id: 'cus/1' };
    await seedPayment(service.db, { ...of, invoiceId: 'in_1' });
    await seedPayment(service.db, { ...of, invoiceId: 'in_2', state: 'recovered' });
    await seedAttempt(service.db, { merchantId, invoiceId: 'in_2', number: 1, state: 'succeeded' });
    await seedPayment(service.db, { merchantId, invoiceId: 'in_3', customer_id: 'cus_2' });
    const path = `merchants/${merchantId}/customers/cus%2F1`;
    const { json } = await service.ask('GET', `/api/${path}`);
    expect([json.payments.length, json.attempts.length]).toEqual([2, 1]);
    for (const list of Object.values(listsOfCustomer)) {
      expect(await rowsOf(service, `${path}/${list}`), list).toEqual(json[list]);
    }
    const nobody = await exported(service, `merchants/${merchantId}/customers/cus_9/payments`);
    expect(nobody.status).toBe(404);
    const { headers } = await exported(service, `${path}/attempts`);
    expect(headers['content-disposition']).toMatch(/filename="attempts-[\d-]+\.csv"/);
    const audit = await service.ask('GET', '/api/audit?action=list.exported&limit=1');
    expect(audit.json.items[0].detail).toEqual({
      list: '/api/merchants/{id}/customers/{customer_id}/attempts',
      filters: { customer_id: 'cus/1' },
    });
  });
});

describe('recoup export', () => {
  it('knows every list that can be exported', () => {
    const paths = [
      ...listsOfAll.map((list) => `/api/export/${list}`),
      ...listsOfOne.map((list) => `/api/export/merchants/{id}/${list}`),
      ...Object.values(listsOfCustomer).map(
        (list) => `/api/export/merchants/{id}/customers/{customer_id}/${list}`,
      ),
    ];
    expect(exportEndpoints.map(({ path }) => path).sort()).toEqual(paths.sort());
  });

  it('writes a file, or to standard output', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    await seedPayment(service.db, { merchantId, invoiceId: 'in_1', created_at: minute(1) });
    const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
    const folder = await mkdtemp(join(tmpdir(), 'recoup-export-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
    const file = join(folder, 'payments.csv');
    const [toFile, toOutput, wrong] = await Promise.all([
      runCli('recoup', ['export', 'payments', '--output', file], { env }),
      runCli(
        'recoup',
        ['export', 'payments', '--where', 'status=recovered', '--format', 'ndjson'],
        { env },
      ),
      runCli(
        'recoup',
        ['export', 'payments', '--where', 'status=none', '--output', join(folder, 'none')],
        { env },
      ),
    ]);
    expect(toFile).toMatchObject({ code: 0, stdout: '' });
    expect(await readFile(file, 'utf8')).toMatch(/^merchant_id,.*\r\nmer_.*in_1,.*\r\n$/);
    expect(toOutput).toMatchObject({ code: 0, stdout: '' });
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.stderr).toContain('status');
    expect(await readdir(folder)).toEqual(['payments.csv']);
  });

  it('asks for one list of a customer, who has to be named with their merchant', async () => {
    const service = await operatorService();
    const merchantId = await service.merchant();
    await seedPayment(service.db, { merchantId, invoiceId: 'in_1', customer_id: 'cus/1' });
    await seedPayment(service.db, { merchantId, invoiceId: 'in_2', customer_id: 'cus_2' });
    const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
    const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
    const run = (...args: string[]) => runCli('recoup', ['export', ...args], { env });
    const [one, nobody, noMerchant, ofAll] = await Promise.all([
      run('customer-payments', '--merchant', merchantId, '--customer', 'cus/1'),
      run('customer-payments', '--merchant', merchantId),
      run('customer-payments', '--customer', 'cus/1'),
      run('payments', '--customer', 'cus/1'),
    ]);
    expect(one).toMatchObject({ code: 0 });
    expect(one.stdout).toMatch(/^merchant_id,.*\r\nmer_.*in_1,.*\r\n$/);
    expect(nobody).toMatchObject({ code: 2, stdout: '' });
    expect(nobody.stderr).toContain('--customer');
    expect(noMerchant).toMatchObject({ code: 2, stdout: '' });
    expect(ofAll).toMatchObject({ code: 2, stdout: '' });
  });
});

import { createHash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { actAs } from '../../../src/store/admin/acting.ts';
import { appendAudit } from '../../../src/store/admin/audit-log.ts';
import { listAudit } from '../../../src/store/admin/read-audit.ts';
import { verifyAudit } from '../../../src/store/admin/verify-audit.ts';
import type { Database } from '../../../src/store/database.ts';
import { tamper } from '../../kits/tamper.ts';
import { openReportDatabase } from '../reports/report-database.ts';

let db: Database;
const opened: Database[] = [];

beforeEach(async () => {
  db = await openReportDatabase();
  opened.push(db);
});
afterAll(() => Promise.all(opened.map((each) => each.close())));

const at = new Date('2026-03-01T09:30:00.123Z');
const entry = (n: number) => ({ action: 'payment.stopped', detail: { invoice_id: `in_${n}` }, at });

async function write(merchantId: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) await appendAudit(db, merchantId, entry(n));
}

const tamperWith = (text: string) => tamper(db.pool, ['audit_log', 'audit_heads'], [text]);

const brokenOf = async (known?: Parameters<typeof verifyAudit>[1]['known']) =>
  (await verifyAudit(db, known === undefined ? {} : { known })).broken;

describe('a line', () => {
  it('says who acts in the request, from where, and what the values were', async () => {
    const change = { ...entry(1), before: { status: 'scheduled' }, after: { status: 'stopped' } };
    await actAs({ actor: 'op_1', address: '10.0.0.7' }, () => appendAudit(db, 'mer_1', change));
    await appendAudit(db, 'mer_1', entry(2), 'training');
    await appendAudit(db, 'mer_1', entry(3));
    const { items } = await listAudit(db, { limit: 10 });
    expect(items.map(({ hash, ...line }) => line)).toEqual([
      { chain: 'mer_1', line: 3, actor: 'service', ...entry(3) },
      { chain: 'mer_1', line: 2, actor: 'training', ...entry(2) },
      { chain: 'mer_1', line: 1, actor: 'op_1', address: '10.0.0.7', ...change },
    ]);
  });

  it('has the SHA-256 of the hash before and of what the table shows', async () => {
    await write('mer_1', 2);
    const { rows } = await db.pool.query(
      `select previous_hash, hash, jsonb_build_array(merchant_id, line,
         (extract(epoch from at) * 1000000)::bigint, actor, address, action, detail, old_value,
         new_value)::text as content from audit_log order by line`,
    );
    let previous = Buffer.alloc(32);
    for (const row of rows) {
      expect(row.previous_hash).toEqual(previous);
      previous = createHash('sha256').update(previous).update(row.content).digest();
      expect(row.hash).toEqual(previous);
    }
  });

  it.each([
    `update audit_log set actor = 'somebody else'`,
    'delete from audit_log',
    'truncate audit_log',
    'update audit_heads set line = 1',
    `insert into audit_heads values ('mer_9', 1, decode(repeat('00', 32), 'hex'))`,
    'delete from audit_heads',
    'truncate audit_heads',
  ])('is refused to be changed: %s', async (text) => {
    await write('mer_1', 2);
    await expect(db.pool.query(text)).rejects.toThrow(/append-only/);
    expect((await verifyAudit(db, {})).lines).toBe(2);
  });

  it('is chained whatever hash its writer gives', async () => {
    await db.pool.query(
      `insert into audit_log (merchant_id, actor, action, detail, at, line, previous_hash, hash)
       values ('mer_1', 'a', 'b', '{}', $1, 77, decode(repeat('11', 32), 'hex'),
         decode(repeat('22', 32), 'hex'))`,
      [at],
    );
    expect(await verifyAudit(db, {})).toMatchObject({ lines: 1, broken: [] });
  });
});

describe('writers at once', () => {
  it('make one chain of each merchant, without gaps, and a rolled-back line leaves none', async () => {
    const writing = Array.from({ length: 60 }, (_, n) =>
      db
        .transaction(async (tx) => {
          await appendAudit(tx, `mer_${n % 3}`, entry(n));
          if (n % 5 === 0) throw new Error('not done');
        })
        .catch(() => undefined),
    );
    await Promise.all(writing);
    const verdict = await verifyAudit(db, {});
    expect(verdict).toMatchObject({ lines: 48, broken: [] });
    expect(verdict.heads.map(({ line }) => line)).toEqual([16, 16, 16]);
  });
});

describe('verifying', () => {
  beforeEach(async () => {
    await write('mer_1', 5);
    await write('mer_2', 2);
  });

  it('holds for what nobody touched, over one chain or all', async () => {
    expect(await verifyAudit(db, {})).toMatchObject({ lines: 7, broken: [] });
    expect(await verifyAudit(db, { merchantId: 'mer_2' })).toMatchObject({ lines: 2, broken: [] });
  });

  it.each([
    [`update audit_log set detail = '{"invoice_id":"in_x"}'`, 'it was changed'],
    [`update audit_log set actor = 'x'`, 'it was changed'],
    [`update audit_log set address = '1.1.1.1'`, 'it was changed'],
    [`update audit_log set at = '2026-03-01T09:30:00.123001Z'`, 'it was changed'],
    [`update audit_log set old_value = '{}'`, 'it was changed'],
    [`update audit_log set hash = decode(repeat('00', 32), 'hex')`, 'it was changed'],
    ['delete from audit_log', 'it is missing'],
  ])('names the first broken line: %s', async (text, because) => {
    await tamperWith(`${text} where merchant_id = 'mer_1' and line in (3, 4)`);
    expect(await brokenOf()).toEqual([{ chain: 'mer_1', line: 3, because }]);
  });

  it('sees a line that was changed and hashed anew by the line behind it', async () => {
    await tamperWith(`update audit_log set actor = 'x' where merchant_id = 'mer_1' and line = 3`);
    const { rows } = await db.pool.query<{ hash: string }>(
      `select encode(audit_line_hash(previous_hash, merchant_id, line, at, actor, address, action, detail,
         old_value, new_value), 'hex') as hash
       from audit_log where merchant_id = 'mer_1' and line = 3`,
    );
    const { hash } = rows[0] ?? {};
    await tamperWith(
      `update audit_log set hash = decode('${hash}', 'hex') where merchant_id = 'mer_1' and line = 3`,
    );
    const because = 'it does not follow the line before';
    expect(await brokenOf()).toEqual([{ chain: 'mer_1', line: 4, because }]);
  });

  it('sees what was taken off the end', async () => {
    await tamperWith(`delete from audit_log where merchant_id = 'mer_1' and line = 5`);
    const because = 'it is missing, and the chain goes to 5';
    expect(await brokenOf()).toEqual([{ chain: 'mer_1', line: 5, because }]);
  });

  it.each([
    ['behind its end', 9],
    ['before its beginning', 0],
  ])('sees a line that was put %s', async (_, line) => {
    await tamperWith(
      `insert into audit_log (merchant_id, line, at, actor, action, detail, previous_hash, hash)
       select merchant_id, ${line}, at, actor, 'payment.retried', detail, previous_hash, hash
       from audit_log where merchant_id = 'mer_1' and line = 5`,
    );
    const because = 'it is no line of the chain, which ends elsewhere';
    expect(await brokenOf()).toEqual([{ chain: 'mer_1', line, because }]);
    expect((await verifyAudit(db, { merchantId: 'mer_2' })).broken).toEqual([]);
  });

  it('of one chain by heads of all looks for no other one', async () => {
    const { heads } = await verifyAudit(db, {});
    const one = { merchantId: 'mer_1', known: heads };
    expect(await verifyAudit(db, one)).toMatchObject({ lines: 5, broken: [] });
    await tamperWith(`delete from audit_log where merchant_id = 'mer_1'`);
    await tamperWith(`delete from audit_heads where merchant_id = 'mer_1'`);
    expect((await verifyAudit(db, one)).broken).toMatchObject([{ chain: 'mer_1' }]);
  });

  it('sees a chain whose head was taken away', async () => {
    await tamperWith(`delete from audit_heads where merchant_id = 'mer_2'`);
    const because = 'the head of its chain is missing';
    expect(await brokenOf()).toEqual([{ chain: 'mer_2', line: 1, because }]);
  });

  it('sees by heads that were kept elsewhere what was rewritten with all that follows', async () => {
    const { heads } = await verifyAudit(db, {});
    await write('mer_1', 1);
    expect(await brokenOf(heads)).toEqual([]);
    await tamperWith('delete from audit_log; delete from audit_heads');
    await write('mer_1', 6);
    expect(await brokenOf()).toEqual([]);
    expect(await brokenOf(heads)).toEqual([
      { chain: 'mer_2', line: 2, because: 'it is missing, and its whole chain' },
    ]);
    await tamperWith('delete from audit_log; delete from audit_heads');
    await actAs({ actor: 'x', address: '' }, () => write('mer_1', 6));
    const because = 'it has another hash than was noted before';
    expect(await brokenOf(heads)).toContainEqual({ chain: 'mer_1', line: 5, because });
  });
});

describe('the list', () => {
  it('is read in pages over all chains, the newest first', async () => {
    for (let n = 1; n <= 5; n += 1) {
      const later = new Date(at.getTime() + n * 1_000);
      await appendAudit(db, `mer_${n % 2}`, { ...entry(n), at: later });
    }
    const read: unknown[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await listAudit(db, { limit: 2, ...(cursor !== undefined && { cursor }) });
      read.push(...page.items.map(({ detail }) => detail.invoice_id));
      if (page.nextCursor === undefined) break;
      cursor = page.nextCursor;
    }
    expect(read).toEqual(['in_5', 'in_4', 'in_3', 'in_2', 'in_1']);
  });

  it('is narrowed by merchant, person, act and time', async () => {
    await write('mer_1', 1);
    await appendAudit(db, '*', { ...entry(2), action: 'clock.moved' }, 'training');
    const acts = async (by: object) =>
      (await listAudit(db, { limit: 9, ...by })).items.map(({ action }) => action);
    expect(await acts({ chains: ['mer_1'] })).toEqual(['payment.stopped']);
    expect(await acts({ actor: 'training' })).toEqual(['clock.moved']);
    expect(await acts({ action: 'payment.' })).toEqual(['payment.stopped']);
    expect(await acts({ action: 'payment' })).toEqual([]);
    expect(await acts({ from: new Date(at.getTime() + 1) })).toEqual([]);
    expect(await acts({ to: at })).toEqual([]);
    expect(await acts({ from: at })).toHaveLength(2);
  });
});

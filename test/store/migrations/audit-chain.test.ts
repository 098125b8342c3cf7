import { expect, it, onTestFinished } from 'vitest';
import { appendAudit } from '../../../src/store/admin/audit-log.ts';
import { verifyAudit } from '../../../src/store/admin/verify-audit.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { isOnCitus } from '../../kits/cluster/empty-shards.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute } from '../reports/seed.ts';

it('lines from before the hashes are chained in their order, and new ones go on', async ({
  skip,
}) => {
  const db = await openReportDatabase();
  onTestFinished(() => db.close());
  skip(await isOnCitus(db.pool), 'no release of that time had cells on Citus');
  await db.pool.query(`
    drop table audit_heads;
    alter table audit_log disable trigger user;
    drop trigger chain_audit_line on audit_log;
    drop trigger audit_log_is_kept on audit_log;
    drop trigger audit_log_is_not_emptied on audit_log;
    drop function audit_line_hash(audit_log), chain_audit_line, refuse_audit_change;
    drop index audit_log_at;
    alter table audit_log drop constraint audit_log_pkey,
      drop column line, drop column address, drop column old_value, drop column new_value,
      drop column previous_hash, drop column hash,
      add column audit_id bigint generated always as identity,
      add primary key (merchant_id, audit_id);
    delete from migrations where name like '%_audit_chain.sql';
    insert into audit_log (merchant_id, actor, action, detail, at)
    select 'mer_' || (n % 2), 'operator', 'payment.stopped', jsonb_build_object('n', n), '2026-03-01'
    from generate_series(1, 5) n`);
  const { connectionString } = db.pool.options;
  if (connectionString === undefined) throw new Error('a pool has an address');
  const { applied } = await migrate({ connectionString, clock: { now: () => minute(9) } });
  expect(applied).toEqual([expect.stringMatching(/_audit_chain\.sql$/)]);
  await appendAudit(db, 'mer_0', { action: 'payment.stopped', detail: { n: 6 }, at: minute(9) });
  expect(await verifyAudit(db, {})).toMatchObject({
    lines: 6,
    heads: [
      { chain: 'mer_0', line: 3 },
      { chain: 'mer_1', line: 3 },
    ],
    broken: [],
  });
  const { rows } = await db.pool.query(
    `select detail ->> 'n' as n from audit_log order by merchant_id, line`,
  );
  expect(rows.map(({ n }) => n)).toEqual(['2', '4', '6', '1', '3', '5']);
});

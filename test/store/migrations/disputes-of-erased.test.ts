import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type AnalyticsWorld,
  analyticsRecord,
  openAnalyticsWorld,
} from '../../kits/analytics-world.ts';
import { addDispute } from '../../kits/dispute-row.ts';

const migration = new URL(
  '../../../src/store/migrations/0295_disputes_of_erased_so_far.sql',
  import.meta.url,
);

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

it('the disputes of those who were erased before lose a hash that came back', async () => {
  const { merchantId } = world.first;
  await world.submit({ ...analyticsRecord, customer_id: 'cus_1' });
  await world.submit({ ...analyticsRecord, customer_id: 'cus_2', charge_id: 'ch_2' });
  await addDispute(
    { merchantId, rows: async (text, values) => world.rows(text, [...(values ?? [])]) as never },
    { status: 'lost' },
  );
  expect((await world.call('DELETE', '/v1/customers/cus_1')).status).toBe(200);
  await world.rows(
    `insert into disputes (merchant_id, dispute_id, psp, psp_dispute_id, origin, kind, stage, status, state_at,
       stage_begun_at, opened_at, payment_ids, created_at, updated_at)
     select merchant_id, 'dp_2', psp, 'dp_2', origin, kind, stage, status, state_at, stage_begun_at, opened_at,
       payment_ids, created_at, updated_at from disputes`,
  );
  await world.rows(
    `insert into dispute_matches (merchant_id, dispute_id, analytics_id, rank, score, reasons, is_inherited)
     select merchant_id, case when state = 'erased' then 'dp_1' else 'dp_2' end, analytics_id, 1, 100, '{charge}', false
     from analytics`,
  );
  await world.rows('update disputes set email_index = sha256(dispute_id::bytea)');
  await world.changeSchema(await readFile(migration, 'utf8'));
  const rows = await world.rows(
    'select dispute_id, email_index is not null as email, email_forgotten from disputes order by 1',
  );
  expect(rows).toEqual([
    { dispute_id: 'dp_1', email: false, email_forgotten: true },
    { dispute_id: 'dp_2', email: true, email_forgotten: false },
  ]);
});

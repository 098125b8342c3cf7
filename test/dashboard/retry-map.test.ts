import { expect, test } from 'vitest';
import { expectSound, useDashboard } from '../kits/dashboard.ts';
import { serviceNow } from '../kits/service-calls.ts';

const dashboard = useDashboard();

test('says that no retry was charged yet', async () => {
  const page = await dashboard.open('/retry-map');
  await page.getByRole('heading', { name: 'No retry was charged yet' }).waitFor();
  await expectSound(page, 'retry-map-empty');
});

/** Charges of four weeks, each hour of the week four times, that succeed on Fridays at nine in Berlin more than at any other time. */
test('shows success by hour, day, wait, decline and card, each with its n', async () => {
  const { db, service } = dashboard;
  const now = await serviceNow(service);
  await db.pool.query(
    `insert into charge_hour_rollups (merchant_id, hour, tries, successes)
     select $1, h, 25, case when extract(dow from h at time zone 'Europe/Berlin') = 5
       and extract(hour from h at time zone 'Europe/Berlin') = 9 then 20
       else extract(hour from h)::int % 7 end
     from generate_series(date_trunc('hour', $2::timestamptz, 'UTC') - interval '671 hours', $2, interval '1 hour') h`,
    [service.merchantId, now],
  );
  await db.pool.query(
    `insert into charge_cause_rollups (merchant_id, day, dimension, bucket, tries, successes)
     select $1, $2::timestamptz::date, d, b, 40 + length(b), 10
     from (values ('days_since_failure', '1'), ('days_since_failure', '10'), ('days_since_failure', '3'),
       ('decline_code', '51'), ('decline_code', '05'), ('bin', '424242'), ('bin', 'unknown')) x (d, b)`,
    [service.merchantId, now],
  );
  const page = await dashboard.open('/retry-map');
  const map = page.getByRole('table', { name: 'Success by weekday and hour' });
  await map.waitFor();
  const friday = map.getByRole('row', { name: /^Fri/ });
  expect(await friday.getByRole('cell').nth(9).innerText()).toMatch(/^80\s+percent, n = 100$/);
  const days = page.getByRole('table', { name: 'Success by days since the failure' });
  expect((await days.getByRole('rowheader').allInnerTexts()).join()).toBe('1,3,10');
  const cards = page.getByRole('table', { name: 'Success by first digits' });
  expect(await cards.innerText()).toMatch(/424242\s+21\.7%\s+46/);
  await expectSound(page, 'retry-map');
});

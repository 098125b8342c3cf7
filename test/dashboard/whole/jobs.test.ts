import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hourMs } from '../../../src/domain/clock.ts';
import { useDashboard } from '../../kits/dashboard.ts';
import {
  type DashboardWorld,
  seedDashboard,
  worldNow,
} from '../../kits/dashboard-world/seed-dashboard.ts';
import { type FakeMerchant, startFakeMerchant } from '../../kits/fake-merchant.ts';
import { expectPresses, type Hand, handOn } from '../../kits/hand.ts';
import { type StripeServer, startStripeServer } from '../../kits/psps/stripe-server.ts';

let stripe: StripeServer;
let server: FakeMerchant;
let world: DashboardWorld;
const dashboard = useDashboard(
  async () => {
    stripe = await startStripeServer();
    return { STRIPE_URL: stripe.url };
  },
  { beginAt: worldNow },
);
beforeAll(async () => {
  server = await startFakeMerchant();
  world = await seedDashboard(dashboard);
});
afterAll(() => Promise.all([stripe?.close(), server?.close()]));

const widths = [1280, 390] as const;

const hoursFromNow = (hours: number) => new Date(worldNow.getTime() + hours * hourMs);

/** Signed in on the overview, which is whole. */
async function begin(width: number): Promise<Hand> {
  const page = await dashboard.open('/');
  await page.setViewportSize({ width, height: 844 });
  await page.getByRole('region', { name: 'Needs attention' }).getByRole('link').first().waitFor();
  return handOn(page);
}

async function invoiceThatFailed(): Promise<string> {
  const { rows } = await dashboard.db.pool.query<{ invoice_id: string }>(
    `select invoice_id from payments
     where merchant_id = $1 and state = 'exhausted' and attempt_count > 1 order by 1 desc limit 1`,
    [world.atlasId],
  );
  return rows[0]?.invoice_id ?? '';
}

describe.each(widths)('at %i', (width) => {
  test('why was a payment not recovered: the search and Enter', async () => {
    const hand = await begin(width);
    const { page } = hand;
    const invoice = await invoiceThatFailed();
    await hand.key('/');
    await hand.type(page.getByRole('searchbox', { name: 'Search payments' }), invoice);
    await hand.key('Enter');
    await page.getByRole('heading', { name: invoice }).waitFor();
    await page.locator('.page-head').getByText('Not recovered').waitFor();
    const tries = await page.getByRole('region', { name: 'Attempts' }).innerText();
    expect(tries).toMatch(/Attempt 1\s+✕ Declined\s+\d\d/);
    expect(tries).toMatch(/Not recovered\s+The window ended\./);
    expectPresses(hand, 3);
  });

  test("this month's win and whether it is real: on the first page, its grounds one press away", async () => {
    const hand = await begin(width);
    const { page } = hand;
    const figure = page.getByText('Learned policy against the holdout').locator('..');
    const text = (await figure.innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/[+−]\$[\d,.]+ 95%: [+−]\$[\d,.]+ to [+−]\$[\d,.]+/);
    expectPresses(hand, 0);
    await hand.click(figure.getByRole('link', { name: 'What is compared' }));
    const verdict = page.getByRole('region', { name: 'Verdict, USD' });
    await verdict
      .getByText(/recovers more (money )?than the holdout|Not significant yet/)
      .waitFor();
    expectPresses(hand, 1);
  });

  test("yesterday's missed webhooks: found on the first page, sent again, all accepted", async () => {
    const { db } = dashboard;
    await db.pool.query('update merchants set webhook_url = $2 where merchant_id = $1', [
      world.northwindId,
      server.webhookUrl,
    ]);
    // At each width the events of one of two halves are missed, and none has been sent again before.
    await db.pool.query(
      `update deliveries set last_status = case when is_missed then 503 else 200 end,
         state = case when is_missed then 'pending' else 'delivered' end,
         delivered_at = case when not is_missed then created_at end,
         next_attempt_at = case when is_missed then $4::timestamptz end
       from (select merchant_id as m, event_id as e, sequence % 2 = $3 as is_missed from events) of
       where merchant_id = $1 and m = merchant_id and e = event_id and replay_id is null
         and created_at > $2`,
      [world.northwindId, hoursFromNow(-26), widths.indexOf(width), hoursFromNow(9)],
    );
    const hand = await begin(width);
    const { page } = hand;
    await hand.click(page.getByRole('link', { name: /^Northwind Press: the endpoint/ }));
    await hand.click(page.getByRole('button', { name: 'Redeliver in bulk…' }));
    const dialog = page.getByRole('dialog', { name: 'Redeliver many events?' });
    await hand.choose(dialog, 'State', 'waiting to be sent again');
    await dialog.getByText(/^Sends \d+ events again/).waitFor();
    await hand.click(dialog.getByRole('button', { name: 'Redeliver' }));
    const progress = page.getByRole('dialog', { name: 'Redelivering' });
    await progress.getByText(/(\d+) of \1 events are sent again\. All were accepted\./).waitFor();
    expectPresses(hand, 5);
  });

  test('rotate a key: shown once, the present one ends after an overlap', async () => {
    const hand = await begin(width);
    const { page } = hand;
    await hand.goTo('Merchants');
    await hand.click(page.getByRole('link', { name: 'Atlas Media' }));
    await hand.click(page.getByRole('button', { name: 'Issue or rotate' }));
    const dialog = page.getByRole('dialog', { name: 'Issue a credential?' });
    await hand.click(dialog.getByRole('button', { name: 'Issue', exact: true }));
    await page
      .getByRole('region', { name: 'Keep these now' })
      .getByText(/rk_test_\w+/)
      .waitFor();
    const table = page.getByRole('table', { name: 'Credentials, the newest first' });
    await table
      .getByText(/^in (1 d|23 h)/)
      .first()
      .waitFor();
    expectPresses(hand, 4, 1);
  });

  test('connect a processor: a bad key is named as one, and a good one connects', async () => {
    const hand = await begin(width);
    const { page } = hand;
    await hand.goTo('Merchants');
    await hand.click(page.getByRole('link', { name: 'Demo merchant' }));
    await hand.click(page.getByRole('button', { name: 'Connect a processor' }));
    const dialog = page.getByRole('dialog', { name: 'Connect a processor?' });
    const key = dialog.getByLabel(/^Secret key/);
    await hand.type(key, stripe.refusedCredentials.secret_key ?? '');
    await hand.click(dialog.getByRole('button', { name: 'Connect', exact: true }));
    await dialog
      .getByRole('alert')
      .getByText(/refused|key/i)
      .first()
      .waitFor();
    await hand.type(key, stripe.credentials.secret_key ?? '');
    await hand.click(dialog.getByRole('button', { name: 'Connect', exact: true }));
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('region', { name: 'Processors' }).getByText('stripe').first().waitFor();
    expectPresses(hand, 7, 1);
  });

  test('the most urgent dispute: two presses from the first page, with what it still lacks', async () => {
    const hand = await begin(width);
    const { page } = hand;
    await hand.click(page.getByRole('link', { name: '3 disputes are due' }));
    // Those that are past due stand below, and may be there before.
    await page.getByRole('link', { name: 'dp_7001' }).waitFor();
    const first = page.getByRole('table').first().locator('[data-row]').first();
    expect(await first.innerText()).toBe('dp_7001');
    await hand.click(first);
    await page.getByText('1 day left').first().waitFor();
    await page.getByText(/rules? (do|does) not pass yet/).waitFor();
    expectPresses(hand, 2);
  });

  test('switch a merchant to the learned policy', async () => {
    await dashboard.db.pool.query(
      "update merchants set policy_kind = 'fixed' where merchant_id = $1",
      [world.northwindId],
    );
    const hand = await begin(width);
    const { page } = hand;
    await hand.goTo('Merchants');
    await hand.click(page.getByRole('link', { name: 'Northwind Press' }));
    await hand.click(page.getByRole('button', { name: 'Change the retries' }));
    const dialog = page.getByRole('dialog', { name: 'Change the retries?' });
    await hand.choose(dialog, /^When/, /^learned/);
    await hand.click(dialog.getByRole('button', { name: 'Change them' }));
    await page
      .getByRole('definition')
      .getByText(/^learned: an even spread first/)
      .waitFor();
    expectPresses(hand, 6, 1);
  });

  test('the cards near a limit: one press, the least left first', async () => {
    const hand = await begin(width);
    const { page } = hand;
    await hand.click(page.getByRole('link', { name: /^Visa: \d+ cards are near its limit/ }));
    const cards = page.getByRole('table', { name: 'Cards, the least left first' });
    const first = cards.locator('tbody tr').first();
    await first.getByText('✕ none').waitFor();
    expect(await first.innerText()).toMatch(/\d+ of 20/);
    expectPresses(hand, 1);
  });

  test('a payment is stopped by keys alone, right after a restart, which another tab shows', async () => {
    const other = await dashboard.open('/payments?status=scheduled&live=on', {
      until: /\/api\/live$/,
    });
    const rows = other.locator('[data-row]');
    await rows.first().waitFor();
    const hand = await begin(width);
    const { page } = hand;
    const pressed = async (name: string | RegExp): Promise<void> => {
      const button = page.getByRole('button', { name, exact: true });
      for (let n = 0; n < 60; n += 1) {
        if (await button.evaluate((element) => element.matches(':focus'))) break;
        await hand.key('Tab');
      }
      await hand.key('Enter');
    };
    const { rows: found } = await dashboard.db.pool.query<{ invoice_id: string }>(
      `select invoice_id from payments where merchant_id = $1 and state = 'scheduled'
         and due_action = 'attempt' and frozen_at is null order by created_at desc limit 1`,
      [world.atlasId],
    );
    const invoice = found[0]?.invoice_id ?? '';
    await other.getByRole('link', { name: invoice }).waitFor();
    await dashboard.restart();
    await hand.key('/');
    await hand.write(invoice);
    await hand.key('Enter');
    await page.getByRole('heading', { name: invoice }).waitFor();
    await pressed('Stop');
    await page
      .getByRole('dialog', { name: 'Stop the recovery?' })
      .getByLabel(/^Reason/)
      .waitFor();
    for (let n = 0; n < 10; n += 1) {
      const why = page.getByLabel(/^Reason/);
      if (await why.evaluate((element) => element.matches(':focus'))) break;
      await hand.key('Tab');
    }
    await hand.write('the customer asked for it');
    await pressed('Stop the recovery');
    await page.locator('.page-head').getByText('Stopped').waitFor();
    await other.getByRole('link', { name: invoice }).waitFor({ state: 'detached' });
    // Most are Tab, past the links at the side of a wide window; none is the pointer's.
    expect(hand.count).toBeLessThanOrEqual(width === 1280 ? 34 : 14);
  });
});

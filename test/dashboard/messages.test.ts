import { beforeAll, expect, test } from 'vitest';
import { choose, expectSound, pressIn, useDashboard } from '../kits/dashboard.ts';
import { readMail } from '../kits/message-world.ts';
import { type SmtpInbox, startSmtpInbox } from '../kits/smtp-inbox.ts';

let inbox: SmtpInbox;
const dashboard = useDashboard(async () => {
  inbox = await startSmtpInbox();
  return {
    SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
    ALERT_SENDER: 'Recoup <alerts@recoup.example>',
    RECOVERY_URL: 'https://api.recoup.example',
  };
});

beforeAll(() => () => inbox.close());

const openMerchant = () => dashboard.open(`/merchants/${dashboard.service.merchantId}`);

/** Payments that waited, of many customers: a third held out, and more of the others recovered. */
async function waitedPayments(): Promise<void> {
  const { db, service } = dashboard;
  const of = [service.merchantId];
  await db.pool.query(
    `insert into payments (merchant_id, invoice_id, customer_id, transaction_id,
       original_psp_transaction_id, psp, amount_minor, currency, payment_method_ids, first_decline,
       failed_at, window_ends_at, max_attempts, state, created_at, updated_at)
     select $1, 'in_' || n, 'cus_' || n, 'txn_' || n, 'ch_' || n, 'sandbox', 2000, 'USD',
       '{pm_1}', '{"category":"fix_data","code":"expired_card"}', now() - interval '40 days',
       now() - interval '12 days', 8,
       case when n % 3 = 0 and n % 5 = 0 or n % 3 > 0 and n % 2 = 0 then 'recovered'
            else 'exhausted' end, now() - interval '40 days', now()
     from generate_series(1, 900) n`,
    of,
  );
  await db.pool.query(
    `insert into message_threads (merchant_id, invoice_id, customer_id, arm, is_reachable, begun_at,
       sent, last_sent_at, end_reason)
     select $1, 'in_' || n, 'cus_' || n, case n % 3 when 0 then 'holdout' else 'messages' end, true,
       now() - interval '39 days', case n % 3 when 0 then 0 else 1 end, now() - interval '38 days',
       'payment_ended'
     from generate_series(1, 900) n`,
    of,
  );
  await db.pool.query(
    `insert into customer_messages (merchant_id, message_id, invoice_id, number, reason, language,
       state, tries, unanswered, created_at, ended_at)
     select $1, 'cmg_' || n, 'in_' || n, 1, 'expired_card', 'en',
       case when n % 20 = 1 then 'refused' else 'sent' end, 1, 0, now() - interval '38 days',
       now() - interval '38 days'
     from generate_series(1, 900) n where n % 3 > 0`,
    of,
  );
}

test('messages are set up, tested, switched on, and their report says whether they bring anything', async () => {
  const page = await openMerchant();
  const panel = page.getByRole('region', { name: 'Messages to customers' });
  await panel.getByText(/^No page for customers is set, .* under “Change the retries”/).waitFor();
  await panel.getByText('No message was sent yet.').waitFor();

  await panel.getByRole('button', { name: 'Change the messages' }).click();
  const early = page.getByRole('dialog', { name: 'Change the messages?' });
  await early.getByLabel(/^Write to customers/).check();
  await early.getByRole('button', { name: 'Change them' }).click();
  await expect
    .poll(() => early.getByRole('alert').innerText())
    .toBe(
      'Customers cannot be written to yet. No sender is set: enter one at “From” under “Change the messages”. No page for customers is set, which messages link to: enter it under “Change the retries”.',
    );
  await early.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Change the retries' }).click();
  const retries = page.getByRole('dialog', { name: 'Change the retries?' });
  await retries.getByLabel(/^Page for these customers/).fill('https://acme.example/pay/{token}');
  await pressIn(retries, 'Change them', { toast: 'The retries are changed.' });
  await page.getByText('https://acme.example/pay/{token}').waitFor();

  await panel.getByRole('button', { name: 'Change the messages' }).click();
  const changing = page.getByRole('dialog', { name: 'Change the messages?' });
  await changing.getByLabel(/^From, such as/).fill('Acme');
  await changing.getByRole('button', { name: 'Change them' }).click();
  await changing.getByText(/^From, such as .*: Enter an e-mail address/).waitFor();
  await changing.getByLabel(/^From, such as/).fill('Acme <billing@acme.example>');
  await changing.getByLabel(/^Time zone of customers/).fill('America/New_York');
  await changing.getByLabel(/^Write to customers/).check();
  await expectSound(page, 'messages-change');
  await pressIn(changing, 'Change them', { toast: 'The messages are changed.' });
  await panel.getByText('20:00 to 9:00, America/New_York').waitFor();

  await panel.getByRole('button', { name: 'Send a test' }).click();
  const testing = page.getByRole('dialog', { name: 'Send a test message?' });
  await testing.getByLabel('To', { exact: true }).fill('me@acme.example');
  await choose(testing, 'Reason', 'Authentication');
  await testing.getByRole('button', { name: 'Send it' }).click();
  await testing.getByText('The mail server accepted it.').waitFor();
  expect(inbox.mails.map(({ to }) => to)).toEqual([['me@acme.example']]);
  const { text } = readMail(inbox.mails[0]?.source ?? '');
  expect(text).toContain('Your bank asks you to confirm the payment.');
  await expectSound(page, 'messages-test');
  await testing.getByRole('button', { name: 'Cancel' }).click();

  await waitedPayments();
  const again = await openMerchant();
  const report = again.getByRole('region', { name: 'Messages to customers' });
  await report.getByRole('heading', { name: 'Messages recover more' }).waitFor();
  await report.getByText('570 messages were sent, 30 came back').waitFor();
  const rows = report.getByRole('table', { name: 'Recovered with messages and without, USD' });
  expect(await rows.innerText()).toMatch(/With messages\s+600[\s\S]*Held out\s+300/);
  await expectSound(again, 'messages-report');
  await report.getByRole('link', { name: 'in_98', exact: true }).click();
  await again.waitForURL(/\/payments\//);
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { readMail } from '../kits/message-world.ts';
import { operatorService } from '../kits/operator-service.ts';
import { startSmtpInbox } from '../kits/smtp-inbox.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

const page = 'https://acme.example/pay/{token}';

async function withMerchant({ hasServer = true } = {}) {
  const inbox = await startSmtpInbox();
  onTestFinished(() => inbox.close());
  const service = await operatorService(
    {},
    {
      environment: hasServer
        ? {
            SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
            ALERT_SENDER: 'Recoup <alerts@recoup.example>',
            RECOVERY_URL: 'https://api.recoup.example',
            MESSAGE_BOUNCE_ADDRESS: 'bounces@recoup.example',
          }
        : {},
    },
  );
  const id = await service.merchant({ customer_page_url: page });
  const path = `/api/merchants/${id}`;
  return {
    ...service,
    id,
    inbox,
    show: () => service.ask('GET', `${path}/message-settings`),
    change: (body: object) => service.ask('PATCH', `${path}/message-settings`, body),
    post: (name: string, body: object) => service.ask('POST', `${path}/${name}`, body),
    template: (method: 'PUT' | 'DELETE', of: string, body?: object) =>
      service.ask(method, `${path}/message-templates/${of}`, body),
    get: (name: string) => service.ask('GET', `${path}/${name}`),
  };
}

const sender = 'Acme <billing@acme.example>';

describe("a merchant's messages", () => {
  it('are off, and cannot be switched on before what they need is there', async () => {
    const { show, change } = await withMerchant();
    expect((await show()).json).toMatchObject({ on: false, max_messages: 3, holdout_share: 0.1 });
    expect((await show()).json.missing).toEqual(['sender: whom messages are from']);
    const refused = await change({ on: true });
    expect([refused.status, refused.json.error.message]).toEqual([
      409,
      expect.stringContaining('Missing: sender: whom messages are from.'),
    ]);
    const on = await change({ on: true, sender, quiet_from: 21 });
    expect(on.json).toMatchObject({
      on: true,
      sender,
      quiet_from: 21,
      quiet_until: 9,
      missing: [],
    });
    expect((await change({ reply_to: 'help@acme.example' })).json.reply_to).toBe(
      'help@acme.example',
    );
    expect((await change({ reply_to: '' })).json).not.toHaveProperty('reply_to');
    expect((await show()).json).toMatchObject({ on: true, quiet_from: 21 });
  });

  it('need a mail server, and an address at which customers stop them', async () => {
    const { show } = await withMerchant({ hasServer: false });
    expect((await show()).json.missing).toEqual([
      'sender: whom messages are from',
      'SMTP_URL: what sends them',
      'RECOVERY_URL: where customers stop them',
    ]);
  });

  it.each([
    [{ sender: 'Acme' }, 'sender'],
    [{ sender: 'A <a@b.example>\r\nBcc: x@y.example' }, 'sender'],
    [{ reply_to: 'nobody' }, 'reply_to'],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
    [{ quiet_from: 24 }, 'quiet_from'],
    [{ holdout_share: 0.6 }, 'holdout_share'],
    [{ max_messages: 11 }, 'max_messages'],
    [{ language: 'english' }, 'language'],
  ])('are refused as %j', async (body, field) => {
    const { change } = await withMerchant();
    const { status, json } = await change(body);
    expect([status, json.error.fields.map((each: { field: string }) => each.field)]).toEqual([
      400,
      [field],
    ]);
  });

  it('are in the audit log as they were changed', async () => {
    const { change, ask, id } = await withMerchant();
    await change({ sender, gap_hours: 48 });
    const { json } = await ask('GET', `/api/audit?merchant_id=${id}`);
    expect(json.items[0]).toMatchObject({ action: 'messages.changed', detail: { gapHours: 48 } });
  });
});

describe('a text', () => {
  it("of the merchant's own takes the place of ours, and is tested by a real message", async () => {
    const { change, template, post, show, inbox, ask } = await withMerchant();
    await change({ sender });
    const body = { subject: 'Card of {merchant}', body: 'Käse? {amount} {link}' };
    const set = await template('PUT', 'expired_card/de', body);
    expect(set.json).toEqual({ reason: 'expired_card', language: 'de', ...body, is_own: true });
    const tested = await post('message-tests', {
      to: 'me@acme.example',
      reason: 'expired_card',
      language: 'de',
    });
    expect(tested.json).toEqual({ sent: true });
    const [line] = (await ask('GET', '/api/audit')).json.items;
    expect([line.action, line.detail]).toEqual([
      'messages.tested',
      { reason: 'expired_card', language: 'de', sent: true },
    ]);
    const { text, headers } = readMail(inbox.mails[0]?.source ?? '');
    expect(text).toContain('Käse? 12,23\u00a0$ https://acme.example/pay/test');
    expect(headers.join('\n')).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect((await template('DELETE', 'expired_card/de')).status).toBe(204);
    expect((await template('DELETE', 'expired_card/de')).status).toBe(404);
    const own = (await show()).json.templates.filter((each: { is_own: boolean }) => each.is_own);
    expect(own).toEqual([]);
  });

  it.each([
    ['expired_card/en', { subject: 'x', body: '{link} {name}' }, ['body']],
    ['expired_card/en', { subject: 'x', body: 'nothing' }, ['body']],
    ['stolen/en', { subject: 'x', body: '{link}' }, ['reason']],
    ['expired_card/EN', { subject: 'x', body: '{link}' }, ['language']],
  ])('of %s is refused as %j', async (of, body, fields) => {
    const { template } = await withMerchant();
    const { status, json } = await template('PUT', of, body);
    const named = (json.error.fields ?? []).map((each: { field: string }) => each.field);
    expect([status, named]).toEqual(status === 404 ? [404, []] : [400, fields]);
  });

  it('that the mail server does not take says why', async () => {
    const { change, post, inbox } = await withMerchant();
    await change({ sender });
    inbox.refuse('me@acme.example');
    const body = { to: 'me@acme.example', reason: 'other', language: 'en' };
    expect((await post('message-tests', body)).json).toEqual({
      sent: false,
      detail: 'The mail server answered 550 to RCPT TO.',
    });
  });
});

it('an address is stopped and allowed again, and stands nowhere', async () => {
  const { post, ask, id } = await withMerchant();
  const of = { email: 'Jane@example.com' };
  const done = async (suppressed: boolean) =>
    (await post('message-suppressions', { ...of, suppressed })).json.changed;
  expect([await done(true), await done(true), await done(false), await done(false)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect((await post('message-suppressions', { email: 'x', suppressed: true })).status).toBe(400);
  const { json } = await ask('GET', `/api/audit?merchant_id=${id}`);
  expect(JSON.stringify(json)).toContain('messages.suppressed');
  expect(JSON.stringify(json).toLowerCase()).not.toContain('jane');
});

it('the report counts as recovered what was charged, or else what had failed', async () => {
  const { get, db, id } = await withMerchant();
  const written = async (invoiceId: string, columns: Record<string, unknown>) => {
    await seedPayment(db, { merchantId: id, invoiceId, amount_minor: 3_050, ...columns });
    await db.pool.query(
      `insert into message_threads (merchant_id, invoice_id, customer_id, arm, is_reachable, begun_at)
       values ($1, $2, $2, 'messages', true, $3)`,
      [id, invoiceId, minute(5)],
    );
  };
  await written('in_less', { state: 'recovered' });
  await seedAttempt(db, { merchantId: id, invoiceId: 'in_less', number: 1, state: 'succeeded' });
  await written('in_paid', { state: 'stopped', stop_reason: 'recovered_elsewhere' });
  const { json } = await get('message-report');
  expect(json.currencies).toMatchObject([
    { messages: { payments: 2, failed_amount: 61, recovered: 2, recovered_amount: 40.5 } },
  ]);
});

it('what nothing is known of yet is an empty list and an empty report', async () => {
  const { get } = await withMerchant();
  expect((await get('customer-messages')).json).toEqual({ items: [] });
  expect((await get('message-report')).json).toEqual({
    sent: 0,
    bounced: 0,
    stopped: 0,
    currencies: [],
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { createSendAlerts, type SendDeps } from '../../src/alerts/send-alerts.ts';
import { createMailer } from '../../src/alerts/send-email.ts';
import { createGuardedClient } from '../../src/merchant/outbound/guarded-client.ts';
import { signedHeaders } from '../../src/merchant/signed-headers.ts';
import type { AlertItem, AlertMessage } from '../../src/recovery/alerts/alert-ports.ts';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { startSmtpInbox } from '../kits/smtp-inbox.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const secret = 'whsec_Y2FuYXJ5LWNhbmFyeS1jYW5hcnk=';

const item: AlertItem = {
  key: 'incidents/mer_a',
  kind: 'incidents',
  state: 'firing',
  count: 2,
  title: 'Käse & Co <!channel>\r\nBcc: x@example.com: 2 incidents',
  detail: 'what contradicts the record',
  at,
  merchantId: 'mer_a',
  merchantName: 'Käse & Co',
};

function messageOf(...items: readonly AlertItem[]): AlertMessage {
  return { messageId: 'alm_1', channelId: 'alc_1', items, createdAt: at };
}

function senderOf(more: Partial<SendDeps> = {}) {
  const client = createGuardedClient({
    allow: ['127.0.0.1/32'],
    timeoutMs: 5_000,
    elapsedMs: () => performance.now(),
  });
  onTestFinished(() => client.close());
  return createSendAlerts({
    dashboard: 'https://recoup.example.com',
    post: (request) => client.post({ ...request, bodyFor: [] }),
    sign: ({ secret: key, ...input }) =>
      signedHeaders({ ...input, secrets: [key], sentAt: at, realAt: at, validityMs: 300_000 }),
    ...more,
  });
}

async function inboxOf(options: Parameters<typeof startSmtpInbox>[0] = {}) {
  const inbox = await startSmtpInbox(options);
  onTestFinished(() => inbox.close());
  const mailer = (login = '') =>
    createMailer({
      smtpUrl: `smtp://${login}127.0.0.1:${inbox.port}`,
      sender: 'Recoup <alerts@recoup.example.com>',
      dashboard: 'https://recoup.example.com',
      timeoutMs: 2_000,
    });
  return { inbox, mailer };
}

/** Subject and body as a reader has them. */
function read(source: string) {
  const [head = '', ...body] = source.split('\r\n\r\n');
  const headers = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const text = body.join('\r\n\r\n');
  const decoded = /content-transfer-encoding: base64/i.test(head)
    ? Buffer.from(text, 'base64').toString('utf8')
    : Buffer.from(
        text
          .replaceAll('=\r\n', '')
          .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString('utf8');
  return { headers, text: decoded };
}

describe('by e-mail', () => {
  it('the mail server takes one message for all recipients, with what to do and where', async () => {
    const { inbox, mailer } = await inboxOf();
    const send = senderOf({ mailer: mailer() });
    const to = ['ops@example.com', 'night@example.com'];
    expect(await send({ kind: 'email', to }, messageOf(item))).toEqual({ kind: 'sent' });
    expect(inbox.mails).toMatchObject([{ from: 'alerts@recoup.example.com', to }]);
    const { headers, text } = read(inbox.mails[0]?.source ?? '');
    expect(headers).toContain('Message-ID: <alm_1@recoup>');
    expect(headers).toContain('Auto-Submitted: auto-generated');
    expect(text).toContain('Alert: Käse & Co <!channel> Bcc: x@example.com: 2 incidents');
    expect(text).toContain('https://recoup.example.com/incidents?state=unresolved');
  });

  it('no name adds a header or a recipient', async () => {
    const { inbox, mailer } = await inboxOf();
    await mailer().send(['ops@example.com'], messageOf(item));
    const { headers } = read(inbox.mails[0]?.source ?? '');
    expect(headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
    expect(inbox.mails[0]?.to).toEqual(['ops@example.com']);
  });

  it('a recipient that is refused is a failure, without the address in its words', async () => {
    const { inbox, mailer } = await inboxOf();
    inbox.refuse('gone@example.com');
    const outcome = await mailer().send(['ops@example.com', 'gone@example.com'], messageOf(item));
    expect(outcome).toEqual({
      kind: 'failed',
      detail: 'The mail server refused 1 of 2 recipients.',
      isLast: true,
    });
  });

  it('a recipient that is refused for now is sent to again', async () => {
    const { inbox, mailer } = await inboxOf();
    inbox.refuse('grey@example.com', 450);
    const outcome = await mailer().send(['ops@example.com', 'grey@example.com'], messageOf(item));
    const detail = 'The mail server refused 1 of 2 recipients.';
    expect(outcome).toEqual({ kind: 'failed', detail });
  });

  it('a login that is wrong is a failure, without the password in its words', async () => {
    const { inbox, mailer } = await inboxOf({ login: { user: 'recoup', pass: 'right' } });
    const wrong = await mailer('recoup:canary@').send(['ops@example.com'], messageOf(item));
    expect(wrong).toEqual({ kind: 'failed', detail: expect.stringContaining('answered 535') });
    expect(JSON.stringify(wrong)).not.toContain('canary');
    const right = await mailer('recoup:right@').send(['ops@example.com'], messageOf(item));
    expect(right).toEqual({ kind: 'sent' });
    expect(inbox.mails).toHaveLength(1);
  });

  it('a server that is away is a failure', async () => {
    const { inbox, mailer } = await inboxOf();
    await inbox.close();
    expect(await mailer().send(['ops@example.com'], messageOf(item))).toEqual({
      kind: 'failed',
      detail: expect.stringContaining('(ESOCKET)'),
    });
  });

  it('without a mail server it says which settings to give', async () => {
    const outcome = await senderOf()({ kind: 'email', to: ['ops@example.com'] }, messageOf(item));
    expect(outcome).toMatchObject({ kind: 'failed', detail: expect.stringContaining('SMTP_URL') });
  });
});

describe('to Slack', () => {
  it('is a text and a section for each alert, in which no name mentions anybody', async () => {
    const fake = await startFakeMerchant();
    onTestFinished(() => fake.close());
    const resolved = { ...item, key: 'other', state: 'resolved', title: 'Another' } as const;
    const send = senderOf();
    const outcome = await send({ kind: 'slack', url: fake.webhookUrl }, messageOf(item, resolved));
    expect(outcome).toEqual({ kind: 'sent' });
    const { json } = await fake.nextWebhook();
    expect(json).toMatchObject({
      text: 'Recoup: Alert: Käse &amp; Co &lt;!channel&gt; Bcc: x@example.com: 2 incidents and 1 more',
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: expect.stringMatching(/^\*Alert: /) } },
        { type: 'section', text: { type: 'mrkdwn', text: expect.stringMatching(/^\*Resolved: /) } },
      ],
    });
    expect(JSON.stringify(json)).not.toContain('<!channel>');
  });

  it('a burst is cut to what Slack takes, and says how many more there are', async () => {
    const fake = await startFakeMerchant();
    onTestFinished(() => fake.close());
    const many = Array.from({ length: 70 }, (_, n) => ({
      ...item,
      key: `${n}`,
      detail: 'x'.repeat(1_000),
    }));
    await senderOf()({ kind: 'slack', url: fake.webhookUrl }, messageOf(...many));
    const { blocks } = (await fake.nextWebhook()).json as { blocks: { text: { text: string } }[] };
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(blocks.at(-1)?.text.text).toBe('50 more, on the page Alerts.');
    for (const { text } of blocks) expect(text.text.length).toBeLessThanOrEqual(3_000);
  });
});

describe('to a webhook', () => {
  it('is signed as webhooks to merchants are, under the same id at each try', async () => {
    const fake = await startFakeMerchant({ signingSecret: secret, now: () => at });
    onTestFinished(() => fake.close());
    fake.answerWebhooks({ status: 500 }, { status: 204 });
    const send = senderOf();
    const target = { kind: 'webhook', url: fake.webhookUrl, secret } as const;
    const first = await send(target, messageOf(item));
    expect(first).toEqual({ kind: 'failed', detail: 'The server answered 500.' });
    expect(await send(target, messageOf(item))).toEqual({ kind: 'sent' });
    for (const call of fake.webhooks) {
      expect(call).toMatchObject({ isSigned: true, isExpired: false, type: 'alerts' });
      expect(call.headers['webhook-id']).toBe('alm_1');
    }
    expect(fake.webhooks[0]?.json).toEqual({
      type: 'alerts',
      id: 'alm_1',
      created_at: at.toISOString(),
      alerts: [
        {
          key: 'incidents/mer_a',
          kind: 'incidents',
          severity: 'ticket',
          state: 'firing',
          count: 2,
          title: item.title,
          detail: item.detail,
          at: at.toISOString(),
          merchant_id: 'mer_a',
          merchant_name: 'Käse & Co',
          url: 'https://recoup.example.com/incidents?state=unresolved',
        },
      ],
    });
  });

  it('goes to no address inside the network that is not allowed', async () => {
    const target = { kind: 'webhook', url: 'http://10.0.0.1/hook', secret } as const;
    expect(await senderOf()(target, messageOf(item))).toMatchObject({ kind: 'failed' });
  });
});

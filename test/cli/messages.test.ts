import { expect, it, onTestFinished } from 'vitest';
import { operatorToken } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { runCli } from '../kits/run-cli.ts';
import { startSmtpInbox } from '../kits/smtp-inbox.ts';

it('sets messages up, tests one, switches them on, and says what they bring', async () => {
  const inbox = await startSmtpInbox();
  onTestFinished(() => inbox.close());
  const service = await operatorService(
    {},
    {
      environment: {
        SMTP_URL: `smtp://127.0.0.1:${inbox.port}`,
        ALERT_SENDER: 'Recoup <alerts@recoup.example>',
        RECOVERY_URL: 'https://api.recoup.example',
      },
    },
  );
  const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
  const id = await service.merchant({ customer_page_url: 'https://acme.example/{token}' });
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  const run = async (words: readonly string[], stdin?: string) => {
    const done = await runCli('recoup', ['messages', ...words], {
      env,
      ...(stdin !== undefined && { stdin }),
    });
    expect(done.stderr).toBe('');
    return done.stdout;
  };
  expect(await run(['settings', id])).toMatch(/messages +off\n.*sender: whom messages are from/);
  const sender = 'Acme <billing@acme.example>';
  const set = ['set', id, '--sender', sender, '--quiet-from', '22', '--holdout-share', '0.2'];
  expect(await run(set)).toMatch(/quiet +22:00 to 9:00 in UTC[\s\S]*held out +20 %/);
  const own = JSON.stringify({ subject: 'Hi', body: 'Hi {link}' });
  expect(await run(['template', id, 'other', 'en', '--from', '-'], own)).toBe('other (en): Hi\n');
  const test = ['test', id, '--to', 'me@acme.example', '--reason', 'other'];
  expect(await run(test)).toBe('It was taken.\n');
  expect(inbox.mails[0]?.source).toContain('Subject: Hi');
  expect(await run(['remove-template', id, 'other', 'en'])).toBe('other (en) is removed.\n');
  expect(await run(['set', id, '--on'])).toMatch(/messages +on\n/);
  expect(await run(['set', id, '--no-on'])).toMatch(/messages +off\n/);
  expect(await run(['stop', id, 'jane@example.com'])).toBe('Done.\n');
  expect(await run(['allow', id, 'jane@example.com'])).toBe('Done.\n');
  expect(await run(['list', id])).toContain('No message was sent.');
  expect(await run(['report', id])).toMatch(/sent +0[\s\S]*No payment has waited/);
});

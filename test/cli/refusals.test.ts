import { expect, it } from 'vitest';
import { operatorToken } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { runCli } from '../kits/run-cli.ts';

it('says what is wrong and what to do where no field of the request is at fault', async () => {
  const service = await operatorService();
  const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
  const id = await service.merchant();
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  const refusalOf = async (words: readonly string[], stdin?: string) => {
    const run = await runCli('recoup', words, { env, ...(stdin !== undefined && { stdin }) });
    expect(run.code).toBe(1);
    return run.stderr.replace(/^recoup: /, '').trim();
  };
  const slack = JSON.stringify({ target: { kind: 'slack', url: 'https://10.0.0.1/x' } });

  expect(await refusalOf(['reconcile', '--report', '-'], 'a,b\r\n')).toBe(
    'A report is for one merchant and one PSP. Name both and send it again. [invalid_request]',
  );
  const ofSandbox = ['reconcile', '--report', '-', '--merchant', id, '--psp', 'sandbox'];
  expect(await refusalOf(ofSandbox, 'a,b\r\n')).toBe(
    'Recoup reads no reports of the sandbox. Begin without a report: the list that the PSP gives itself is compared. [invalid_request]',
  );
  expect(await refusalOf(['alerts', 'add-channel', 'Mail', '--email', 'a@example.com'])).toBe(
    'No mail server is set, so no e-mail can be sent. Set SMTP_URL and ALERT_SENDER and restart Recoup, or choose another kind of channel. [invalid_request]',
  );
  expect(await refusalOf(['alerts', 'add-channel', 'Chat', '--from', '-'], slack)).toBe(
    'url is refused: 10.0.0.1 is not a public address (private use). Use https and a public address, or add the network to OUTBOUND_ALLOW. [invalid_request]',
  );
  expect(await refusalOf(['messages', 'set', id, '--on'])).toMatch(
    /^Customers cannot be written to yet\. Missing: sender: .*\. Set what is missing, then try again\. \[conflict\]$/,
  );
}, 120_000);

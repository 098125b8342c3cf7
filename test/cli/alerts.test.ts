import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { startFakeMerchant } from '../kits/fake-merchant.ts';
import { operatorToken } from '../kits/operator-server.ts';
import { type OperatorService, operatorService } from '../kits/operator-service.ts';
import { type CliRun, runCli } from '../kits/run-cli.ts';

let service: OperatorService;
let url: string;

beforeEach(async () => {
  service = await operatorService();
  url = await service.server.listen({ host: '127.0.0.1', port: 0 });
});

/** Runs `recoup alerts` against the kit's server. */
function alerts(words: readonly string[], stdin?: string): Promise<CliRun> {
  const env = { OPERATOR_URL: url, OPERATOR_TOKEN: operatorToken };
  return runCli('recoup', ['alerts', ...words], { env, ...(stdin !== undefined && { stdin }) });
}

it('adds a channel from a file, tests it, routes to it and removes it', async () => {
  const slack = await startFakeMerchant();
  onTestFinished(() => slack.close());
  expect((await alerts(['channels'])).stdout).toContain('alerts are sent nowhere');
  const target = JSON.stringify({ target: { kind: 'slack', url: slack.webhookUrl } });
  const added = await alerts(['add-channel', 'On call', '--from', '-'], target);
  expect([added.code, added.stderr]).toEqual([0, '']);
  expect(added.stdout).not.toContain(new URL(slack.webhookUrl).pathname);
  const [id = ''] = /alc_[0-9a-z]+/.exec(added.stdout) ?? [];
  expect((await alerts(['test', id])).stdout).toBe('It was taken.\n');
  slack.answerWebhooks({ status: 403 });
  expect((await alerts(['test', id])).stdout).toBe('Not taken: The server answered 403.\n');
  const sent = (await alerts(['sent', '--channel', id])).stdout;
  expect(sent).toMatch(/alc_\S+ +sent +1 +A test of On call/);
  const refused = (await alerts(['sent', '--state', 'given_up', '--limit', '1'])).stdout;
  expect(refused).toMatch(/given_up +1 +A test of On call +The server answered 403\./);
  const route = await alerts(['route', id, '--severity', 'page', '--no-resolved']);
  const [routeId = ''] = /alr_[0-9a-z]+/.exec(route.stdout) ?? [];
  const listed = (await alerts(['channels'])).stdout;
  expect(listed).toMatch(/On call +slack +127\.0\.0\.1:\d+ +fails since .*403/);
  expect(listed).toMatch(/page +all +all +240 min +not told/);
  const moved = JSON.stringify({ target: { kind: 'slack', url: `${slack.webhookUrl}/moved` } });
  const changed = await alerts(['update-channel', id, '--name', 'Nights', '--from', '-'], moved);
  expect(changed.stdout).toMatch(/Nights +slack +127\.0\.0\.1:\d+ +ok/);
  expect((await alerts(['update-channel', id])).stderr).toContain('Give --name');
  expect((await alerts(['pause-channel', id])).stdout).toContain('paused');
  expect((await alerts(['remove-route', routeId])).stdout).toBe(`${routeId} is removed.\n`);
  expect((await alerts(['remove-channel', id])).stdout).toBe(`${id} is removed.\n`);
  expect((await alerts(['test', id])).code).toBe(1);
}, 120_000);

it('silences with a reason and ends it, and asks for what is missing', async () => {
  const words = [
    'silence',
    '--kind',
    'incidents',
    '--minutes',
    '30',
    '--reason',
    'known since noon',
  ];
  const silence = await alerts(words);
  expect(silence.stdout).toMatch(/als_\S+ +incidents +all .* known since noon/);
  const [id = ''] = /als_[0-9a-z]+/.exec(silence.stdout) ?? [];
  const listed = (await alerts(['list'])).stdout;
  expect(listed).toContain('Nothing needs a person now.');
  expect(listed).toContain(id);
  expect((await alerts(['end-silence', id])).stdout).toBe(`${id} has ended.\n`);
  expect((await alerts(['list'])).stdout).toContain('Nothing is silenced.');
  expect((await alerts(['silence', '--minutes', '30'])).code).toBe(2);
  expect((await alerts(['add-channel', 'Mail'])).code).toBe(2);
  const noAddress = await alerts(['add-channel', 'Mail', '--email', 'nobody']);
  expect([noAddress.code, noAddress.stderr]).toEqual([
    1,
    'recoup: The request is not valid: target.to.0: Input should be an e-mail address, such as oncall@example.com. [invalid_request]\n',
  ]);
  const refused = await alerts(['silence', '--kind', 'no_such', '--minutes', '5', '--reason', 'x']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('kind')]);
}, 120_000);

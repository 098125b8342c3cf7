import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/domain/errors.ts';
import { createAddressGuard } from '../../../src/merchant/outbound/address-guard.ts';
import { checkMerchantUrl } from '../../../src/merchant/outbound/check-merchant-url.ts';

const publicAddress = '93.184.216.34';
const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses;

/** A check where every name is at a public address, and nothing is exempt unless `allow` says so. */
const check = (url: string, allow: readonly string[] = [], addresses = [publicAddress]) =>
  checkMerchantUrl({ allow, resolve: resolvesTo(...addresses) }, url);

describe('addresses that may be saved', () => {
  it.each([
    'https://merchant.example/retry/{invoice_id}',
    'https://merchant.example/retry?invoice={invoice_id}&x=1',
    'https://merchant.example:443/hook',
    'https://merchant.example:8443/hook',
    'https://MERCHANT.example/hook',
    'https://münchen.example/hook',
    'https://under_score.example/',
    `https://${publicAddress}/hook`,
    'https://[2606:4700:4700::1111]/hook',
    'https://merchant.example./hook',
  ])('%s', async (url) => {
    expect(await check(url)).toEqual({ kind: 'ok' });
  });

  it('a name that does not resolve just now, since each connection is checked again', async () => {
    const resolve = async (): Promise<string[]> => Promise.reject(new Error('down'));
    const url = 'https://merchant.example/';
    expect(await checkMerchantUrl({ allow: [], resolve }, url)).toEqual({ kind: 'ok' });
  });
});

describe('spellings of inner addresses', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://１２７.０.０.１/',
    'https://127.0.0.1./',
    'https://127。0。0。1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/',
    'https://10.0.0.1:8443/',
    'https:\\\\127.0.0.1\\hook',
    'https:127.0.0.1',
  ])('%s is refused', async (url) => {
    const verdict = await check(url);
    expect(verdict).toMatchObject({ kind: 'refused' });
    expect(JSON.stringify(verdict)).toContain('is not a public address');
  });

  it.each(['https://localhost/', 'https://localhost./', 'https://inner.example/'])(
    '%s is refused by what it resolves to',
    async (url) => {
      const verdict = await check(url, [], ['127.0.0.1']);
      expect(JSON.stringify(verdict)).toContain(
        'is at 127.0.0.1, which is not a public address (loopback).',
      );
    },
  );
});

describe('addresses that are refused for their form', () => {
  it.each([
    ['http://merchant.example/', 'must use https'],
    ['ftp://merchant.example/', 'must use https'],
    ['file:///etc/passwd', 'must use https'],
    ['javascript:alert(1)', 'must use https'],
    ['https://merchant.example:8080/', 'Port 8080'],
    ['https://merchant.example:22/', 'Port 22'],
    ['https://user@merchant.example/', 'user name or password'],
    ['https://user:pw@merchant.example/', 'user name or password'],
    ['https://:pw@merchant.example/', 'user name or password'],
    ['https://merchant.example/#{invoice_id}', 'fragment'],
    ['https://merchant.example/#', 'fragment'],
    ['https://{invoice_id}.example/', 'host name'],
    ['https://%7Binvoice_id%7D.example/', 'host name'],
    ['https://merchant.example /', 'whitespace'],
    [' https://merchant.example/', 'whitespace'],
    ['https://merchant.example/a\nb', 'whitespace'],
    ['https://merchant.example/\u0000', 'whitespace'],
    [`https://merchant.example/${'a'.repeat(2048)}`, 'longer than 2048'],
    ['merchant.example/hook', 'not a valid URL'],
    ['', 'not a valid URL'],
    ['https://', 'not a valid URL'],
    ['https://[::1%25eth0]/', 'not a valid URL'],
    ['https://1.2.3.4.5/', 'not a valid URL'],
  ])('%j', async (url, words) => {
    const verdict = await check(url);
    expect(verdict).toMatchObject({ kind: 'refused' });
    expect(JSON.stringify(verdict)).toContain(words);
  });

  it('never repeats a password, a path or a query', async () => {
    const urls = [
      'https://canary-user:canary-pw@merchant.example/canary-path?canary-query',
      'http://merchant.example/canary-path?canary-query',
      'https://merchant.example:99/canary-path?canary-query',
      'https://10.0.0.1/canary-path?canary-query',
    ];
    for (const url of urls) expect(JSON.stringify(await check(url))).not.toContain('canary');
  });
});

describe('names with several addresses', () => {
  it('are refused when any address is not public', async () => {
    for (const inner of ['10.0.0.1', '::1', 'fe80::1%eth0', 'no-address']) {
      const verdict = await check('https://merchant.example/', [], [publicAddress, inner]);
      expect(verdict.kind).toBe('refused');
    }
  });

  it('are refused when any address is neither public nor exempt', async () => {
    const allow = ['127.0.0.1/32'];
    const url = 'https://localhost/';
    expect((await check(url, allow, ['127.0.0.1', '::1'])).kind).toBe('refused');
    expect((await check(url, [...allow, '::1'], ['127.0.0.1', '::1'])).kind).toBe('ok');
  });
});

describe('the allow-list', () => {
  it('exempts a network from every rule', async () => {
    const allow = ['127.0.0.0/8', 'fd12::/16'];
    expect((await check('http://127.0.0.1:9000/hook', allow)).kind).toBe('ok');
    expect((await check('http://[fd12::1]:9000/hook', allow)).kind).toBe('ok');
    expect((await check('http://inner.example:9000/', allow, ['127.3.2.1'])).kind).toBe('ok');
    expect((await check('http://[::ffff:127.0.0.1]/', allow)).kind).toBe('ok');
  });

  it('exempts nothing else', async () => {
    const allow = ['127.0.0.1/32'];
    expect((await check('http://127.0.0.2/', allow)).kind).toBe('refused');
    expect((await check('http://[::1]/', allow)).kind).toBe('refused');
    expect((await check('https://10.0.0.1/', allow)).kind).toBe('refused');
    expect(await check('http://merchant.example/', allow)).toMatchObject({
      detail: 'The address of merchant.example must use https.',
    });
    expect((await check('https://merchant.example:9000/', allow)).kind).toBe('refused');
    expect((await check('ftp://127.0.0.1/', allow)).kind).toBe('refused');
    expect((await check('http://user:pw@127.0.0.1/', allow)).kind).toBe('refused');
  });

  it('keeps IPv4 and IPv6 networks apart', async () => {
    expect((await check('http://10.0.0.1/', ['::/0'])).kind).toBe('refused');
    expect((await check('http://[fd00::1]/', ['0.0.0.0/0'])).kind).toBe('refused');
  });

  it('exempts one server by host and port, whatever it resolves to', async () => {
    const allow = ['Billing.internal:9000', '[::1]:9001', '10.0.0.7:80'];
    expect((await check('http://billing.internal:9000/', allow, ['10.0.0.1'])).kind).toBe('ok');
    expect((await check('http://[::1]:9001/', allow)).kind).toBe('ok');
    expect((await check('http://10.0.0.7/', allow)).kind).toBe('ok');
    expect((await check('https://billing.internal/', allow, ['10.0.0.1'])).kind).toBe('refused');
    expect((await check('http://10.0.0.7:81/', allow)).kind).toBe('refused');
  });

  it.each(['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'host', 'host:0', 'host:99999', 'a b:1'])(
    'refuses the entry %j as a fault of the settings',
    (entry) => {
      expect(() => createAddressGuard({ allow: [entry] })).toThrow(AppError);
    },
  );

  it.each(['', 'http://host:80', 'user@host:80', 'host/path:80', '::1/129', 'fe80::1%eth0/64'])(
    'refuses the entry %j too',
    (entry) => {
      expect(() => createAddressGuard({ allow: [entry] })).toThrow('OUTBOUND_ALLOW');
    },
  );
});

describe('resolving', () => {
  const target = { hostname: 'merchant.example', port: 443, secure: true };

  it('ends at its own deadline and tells the resolver', async () => {
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    const guard = createAddressGuard({
      allow: [],
      resolveTimeoutMs: 20,
      resolve: (_hostname, signal) => {
        signal.addEventListener('abort', () => abort());
        return new Promise(() => {});
      },
    });
    expect(await guard.resolve(target)).toEqual({
      kind: 'failed',
      failure: { cause: 'timeout', detail: 'The name merchant.example did not resolve in time.' },
    });
    await aborted;
  });

  it('gives no address as a failed connection', async () => {
    const guard = createAddressGuard({ allow: [], resolve: async () => [] });
    expect(await guard.resolve(target)).toMatchObject({
      failure: { cause: 'connection_failed', detail: 'merchant.example has no address.' },
    });
  });
});

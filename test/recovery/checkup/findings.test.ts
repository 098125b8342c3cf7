import { describe, expect, it } from 'vitest';
import type { DatabaseState } from '../../../src/recovery/checkup/checkup-ports.ts';
import {
  deliveryFindings,
  endpointFindings,
  pspFindings,
} from '../../../src/recovery/checkup/merchant-findings.ts';
import {
  databaseFindings,
  diskFinding,
  invariantFinding,
  lateFinding,
  processFindings,
  unresolvedFinding,
} from '../../../src/recovery/checkup/service-findings.ts';
import type { MerchantView } from '../../../src/recovery/operator-api.ts';
import type { CredentialsCheck } from '../../../src/recovery/psp-ports.ts';

const database: DatabaseState = {
  serverVersion: '18.4',
  roundTripMs: 2.4,
  clockAheadMs: 0,
  missingMigrations: [],
  unknownMigrations: [],
  addedMigrations: [],
};
const found = (change: Partial<DatabaseState>) =>
  Object.fromEntries(
    databaseFindings({ ...database, ...change }).map((finding) => [finding.check, finding]),
  );

describe('the database', () => {
  it.each([
    [{}, 'good'],
    [{ roundTripMs: 100 }, 'good'],
    [{ roundTripMs: 100.5 }, 'warning'],
    [{ serverVersion: '14.0' }, 'good'],
    [{ serverVersion: '13.9' }, 'bad'],
    [{ serverVersion: '9.6', roundTripMs: 200 }, 'bad'],
  ])('with %j is %s', (change, verdict) => {
    const { database: finding } = found(change);
    expect(finding?.verdict).toBe(verdict);
    expect(finding?.action === undefined).toBe(verdict === 'good');
    expect(found({}).database?.found).toBe('PostgreSQL 18.4 answers in 2 ms.');
  });

  it('of a newer version, or behind this one, is told first', () => {
    expect(found({}).migrations).toEqual({
      check: 'migrations',
      verdict: 'good',
      found: 'The database has this version.',
    });
    expect(found({ missingMigrations: ['0050', '0051'] }).migrations).toMatchObject({
      verdict: 'bad',
      found: 'The database lacks 0050, 0051.',
    });
    expect(
      found({ missingMigrations: ['0050'], unknownMigrations: ['0060'] }).migrations,
    ).toMatchObject({
      verdict: 'bad',
      found: 'A newer version has changed the database (0060).',
    });
  });

  it.each([
    [0, 'good', '0.0 s ahead of'],
    [999, 'good', '1.0 s ahead of'],
    [-999, 'good', '1.0 s behind'],
    [1_000, 'warning', '1.0 s ahead of'],
    [-1_999, 'warning', '2.0 s behind'],
    [2_000, 'bad', '2.0 s ahead of'],
    [-2_000, 'bad', '2.0 s behind'],
  ])('with a clock %i ms ahead is %s', (clockAheadMs, verdict, words) => {
    const { clock } = found({ clockAheadMs });
    expect(clock).toMatchObject({
      verdict,
      found: `The database's clock is ${words} this process's.`,
    });
    expect(clock?.action === undefined).toBe(verdict === 'good');
  });
});

it('a process that takes no work is told, and no other', () => {
  const process = { processId: 'p1', roles: ['api', 'worker'], aheadMs: 0, uncertaintyMs: 1 };
  const held = {
    code: 'database_unreachable',
    message: 'its clock is off',
    since: new Date(0),
  } as const;
  expect(processFindings([process])).toEqual([]);
  expect(processFindings([process, { ...process, processId: 'p2', held }])).toEqual([
    {
      check: 'clock',
      verdict: 'bad',
      found: 'p2 (api, worker) takes no work: its clock is off',
      action: expect.stringMatching(/.{10}/),
    },
  ]);
});

const gibibyte = 1024 ** 3;
it.each([
  [5 * gibibyte, 'good', '5.0 GiB are free'],
  [5 * gibibyte - 1, 'warning', '5.0 GiB are free'],
  [gibibyte, 'warning', '1.0 GiB are free'],
  [gibibyte - 1, 'bad', '1.0 GiB are free'],
])('a disk with %i free bytes is %s', (freeBytes, verdict, words) => {
  const finding = diskFinding({ freeBytes, totalBytes: 100 * gibibyte });
  expect(finding).toMatchObject({ verdict, found: expect.stringContaining(words) });
  expect(finding.action === undefined).toBe(verdict === 'good');
  expect(diskFinding(undefined)).toEqual({
    check: 'disk',
    verdict: 'good',
    found: 'This process keeps no data on a disk.',
  });
});

it('broken promises, late work and charges for a person are counted', () => {
  const held = { name: 'one', promise: 'One.', breaches: 0 };
  expect(invariantFinding([held, held])).toMatchObject({ verdict: 'good', found: 'All 2 hold.' });
  expect(invariantFinding([held, { ...held, name: 'two', breaches: 3 }])).toMatchObject({
    verdict: 'bad',
    found: 'Broken: two (3).',
  });
  expect(lateFinding([])).toMatchObject({ verdict: 'good', found: 'No due work waits.' });
  expect(lateFinding([{ table: 'payments', count: 2, oldestDueAt: new Date(0) }])).toMatchObject({
    verdict: 'bad',
    found: 'Late: 2 of payments since 1970-01-01T00:00:00.000Z.',
  });
  expect(unresolvedFinding(0)).toMatchObject({ verdict: 'good' });
  expect(unresolvedFinding(1)).toMatchObject({
    verdict: 'warning',
    found: expect.stringMatching(/^1 charges/),
  });
});

describe('a merchant', () => {
  const merchant = {
    merchantId: 'mer_1',
    retryStatusUrl: 'https://a.example/retry',
    webhookUrl: 'https://a.example/hook',
    psps: ['stripe'],
  } as unknown as MerchantView;

  it.each([
    [
      { failing: 2, exhausted: 0 },
      'warning',
      '2 webhooks fail and 0 were given up in the last 7 days.',
    ],
    [{ failing: 0, exhausted: 1, lastError: 'timeout' }, 'bad', 'timeout'],
  ])('with %j has webhooks that are %s', (failing, verdict, words) => {
    expect(deliveryFindings([{ merchantId: 'mer_1', ...failing }])).toMatchObject([
      { verdict, merchantId: 'mer_1', found: expect.stringContaining(words) },
    ]);
    expect(deliveryFindings([])).toMatchObject([{ verdict: 'good' }]);
  });

  it('has each of its servers reached once', async () => {
    const asked: string[] = [];
    const reach = async (url: string) => {
      asked.push(url);
      return url.includes('b.')
        ? ({ kind: 'failed', detail: 'refused' } as const)
        : ({ kind: 'reached' } as const);
    };
    expect(await endpointFindings({ reach }, merchant)).toEqual([
      {
        check: 'endpoint',
        verdict: 'good',
        found: 'https://a.example is reached.',
        merchantId: 'mer_1',
      },
    ]);
    const both = { ...merchant, webhookUrl: 'https://b.example/hook' };
    expect((await endpointFindings({ reach }, both))[1]).toMatchObject({
      verdict: 'bad',
      found: 'https://b.example cannot be reached: refused',
      action: expect.stringContaining('OUTBOUND_ALLOW'),
      merchantId: 'mer_1',
    });
    expect(asked).toEqual(['https://a.example', 'https://a.example', 'https://b.example']);
  });

  it.each<[CredentialsCheck | undefined, string | undefined, string]>([
    [{ kind: 'accepted' }, 'good', 'Stripe accepts the credentials.'],
    [
      { kind: 'accepted', warnings: ['A.', 'B.'] },
      'warning',
      'Stripe accepts the credentials, but: A. B.',
    ],
    [{ kind: 'unreachable', reason: 'timeout' }, 'warning', 'Stripe does not answer: timeout'],
    [{ kind: 'refused', reason: 'no key' }, 'bad', 'Stripe refuses the credentials: no key'],
    [undefined, undefined, ''],
  ])('whose PSP says %j is %s', async (check, verdict, words) => {
    const findings = await pspFindings({ testPsp: async () => check }, merchant);
    if (verdict === undefined) return expect(findings).toEqual([]);
    expect(findings).toMatchObject([{ check: 'psp', verdict, found: words, merchantId: 'mer_1' }]);
    expect(findings[0]?.action === undefined).toBe(verdict === 'good');
  });
});

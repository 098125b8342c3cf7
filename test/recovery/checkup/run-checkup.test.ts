import { describe, expect, test } from 'vitest';
import { addMs, dayMs, minuteMs } from '../../../src/domain/clock.ts';
import { AppError } from '../../../src/domain/errors.ts';
import type {
  CheckupPorts,
  DatabaseState,
  MoveAtWork,
} from '../../../src/recovery/checkup/checkup-ports.ts';
import type { Finding } from '../../../src/recovery/checkup/finding.ts';
import { runCheckup } from '../../../src/recovery/checkup/run-checkup.ts';
import type { KeyRotation } from '../../../src/recovery/keys/key-ports.ts';
import type { MerchantView } from '../../../src/recovery/operator-api.ts';

const now = new Date('2026-03-01T12:00:00Z');
const gibibyte = 1024 ** 3;
const database: DatabaseState = {
  serverVersion: '18.4',
  roundTripMs: 2,
  clockAheadMs: 3,
  missingMigrations: [],
  unknownMigrations: [],
  addedMigrations: [],
};
const merchant = {
  merchantId: 'mer_1',
  retryStatusUrl: 'https://a.example/retry/{invoice_id}',
  webhookUrl: 'https://a.example/hook',
  psps: ['stripe'],
} as unknown as MerchantView;

const rotation: KeyRotation = {
  rotationId: 'rot_1',
  state: 'running',
  keyId: 'local-2',
  newDataKeys: false,
  made: 0,
  rewrapped: 3,
  startedAt: now,
  updatedAt: now,
};
const move: MoveAtWork = {
  merchantId: 'mer_1',
  state: 'draining',
  toCell: 'cell_2',
  begunAt: now,
  isMoving: false,
};

const healthy: CheckupPorts = {
  readDatabase: async () => database,
  listProcessClocks: async () => [],
  verifyEncryptionKey: async () => {},
  findRotation: async () => undefined,
  listMoves: async () => [],
  readDisk: async () => ({ freeBytes: 50 * gibibyte, totalBytes: 100 * gibibyte }),
  checkInvariants: async () => [{ name: 'one', promise: 'One.', breaches: 0 }],
  listLate: async () => [],
  countUnresolved: async () => 0,
  listFailingDeliveries: async () => [],
  listUnanswered: async () => [],
  listMerchants: async () => [merchant],
  reach: async () => ({ kind: 'reached' }),
  testPsp: async () => ({ kind: 'accepted' }),
};

function checkup(change: Partial<CheckupPorts> = {}): Promise<readonly Finding[]> {
  return runCheckup({ ports: { ...healthy, ...change }, clock: { now: () => now } });
}

const state = (change: Partial<DatabaseState>) => ({
  readDatabase: async () => ({ ...database, ...change }),
});

test('finds nothing wrong with a healthy deployment, and one server once', async () => {
  const findings = await checkup();
  expect(new Set(findings.map(({ verdict }) => verdict))).toEqual(new Set(['good']));
  expect(findings.some((finding) => finding.action !== undefined)).toBe(false);
  expect(findings.map(({ check }) => check)).toEqual([
    'database',
    'migrations',
    'wall',
    'clock',
    'encryption_key',
    'disk',
    'invariants',
    'late_work',
    'moves',
    'unknown_charges',
    'deliveries',
    'endpoint',
    'psp',
  ]);
});

test('what is under way, or ended lately, is no finding', async () => {
  const findings = await checkup({
    findRotation: async () => rotation,
    listMoves: async () => [
      { ...move, isMoving: true },
      { ...move, state: 'fenced', isMoving: true },
      { ...move, state: 'moved', movedAt: now },
    ],
  });
  expect(new Set(findings.map(({ verdict }) => verdict))).toEqual(new Set(['good']));
  const done = { ...rotation, state: 'done' as const, updatedAt: addMs(now, -dayMs) };
  expect((await checkup({ findRotation: async () => done })).length).toBe(findings.length);
});

describe('each thing that is wrong is told with what to do', () => {
  test.each<[string, Partial<CheckupPorts>, Partial<Finding>]>([
    [
      'a process that takes no work',
      {
        listProcessClocks: async () => [
          {
            processId: 'a:1',
            roles: ['worker'],
            aheadMs: 130_000,
            uncertaintyMs: 1,
            held: { code: 'clock_differs', message: 'Its clock is wrong.', since: now },
          },
        ],
      },
      { check: 'clock', verdict: 'bad', found: 'a:1 (worker) takes no work: Its clock is wrong.' },
    ],
    [
      'a rotation that stands still',
      { findRotation: async () => ({ ...rotation, updatedAt: addMs(now, -2 * minuteMs) }) },
      {
        check: 'encryption_key',
        verdict: 'warning',
        found:
          'The rotation to local-2 has made no progress since 2026-03-01T11:58:00.000Z, with 3 keys rewrapped.',
      },
    ],
    [
      'a move that was left while calls were closed',
      { listMoves: async () => [{ ...move, state: 'closing' }] },
      { check: 'moves', verdict: 'bad', merchantId: 'mer_1' },
    ],
    [
      'a move that was left before',
      { listMoves: async () => [move] },
      {
        check: 'moves',
        verdict: 'warning',
        found:
          'Its move to cell_2 was begun at 2026-03-01T12:00:00.000Z, and no command is continuing it: none of its due work is done.',
      },
    ],
    [
      'rows of a merchant that moved days ago',
      {
        listMoves: async () => [{ ...move, state: 'moved', movedAt: addMs(now, -2 * dayMs) }],
      },
      { check: 'moves', verdict: 'warning', action: expect.stringContaining('--clear') },
    ],
    ['an old server', state({ serverVersion: '12.9' }), { check: 'database', verdict: 'bad' }],
    ['a far database', state({ roundTripMs: 180 }), { check: 'database', verdict: 'warning' }],
    [
      'a migration of a newer version, which this one runs on',
      state({ addedMigrations: ['9999_future.sql'] }),
      { check: 'migrations', verdict: 'warning', action: expect.stringContaining('upgrade') },
    ],
    [
      'a missing migration',
      state({ missingMigrations: ['0002_x.sql'] }),
      { check: 'migrations', verdict: 'bad' },
    ],
    [
      'a newer database',
      state({ unknownMigrations: ['9999_x.sql'] }),
      { check: 'migrations', verdict: 'bad' },
    ],
    [
      'a database without roles',
      state({ wallLacks: 'the roles recoup_api' }),
      {
        check: 'wall',
        verdict: 'warning',
        found: 'The database has no second wall between merchants; it lacks the roles recoup_api.',
      },
    ],
    [
      'a clock that is behind',
      state({ clockAheadMs: -1_500 }),
      {
        check: 'clock',
        verdict: 'warning',
        found: "The database's clock is 1.5 s behind this process's.",
      },
    ],
    ['a clock that is far off', state({ clockAheadMs: 2_001 }), { check: 'clock', verdict: 'bad' }],
    [
      'a full disk',
      { readDisk: async () => ({ freeBytes: gibibyte / 2, totalBytes: 100 * gibibyte }) },
      { check: 'disk', verdict: 'bad' },
    ],
    [
      'a filling disk',
      { readDisk: async () => ({ freeBytes: 2 * gibibyte, totalBytes: 100 * gibibyte }) },
      { check: 'disk', verdict: 'warning' },
    ],
    [
      'a broken promise',
      { checkInvariants: async () => [{ name: 'one', promise: 'One.', breaches: 2 }] },
      { check: 'invariants', verdict: 'bad', found: 'Broken: one (2).' },
    ],
    [
      'late work',
      { listLate: async () => [{ table: 'payments', count: 3, oldestDueAt: now }] },
      {
        check: 'late_work',
        verdict: 'bad',
        found: 'Late: 3 of payments since 2026-03-01T12:00:00.000Z.',
      },
    ],
    [
      'a lost answer',
      { countUnresolved: async () => 1 },
      { check: 'unknown_charges', verdict: 'warning' },
    ],
    [
      'failing webhooks',
      { listFailingDeliveries: async () => [{ merchantId: 'mer_1', failing: 4, exhausted: 0 }] },
      { check: 'deliveries', verdict: 'warning', merchantId: 'mer_1' },
    ],
    [
      'webhooks that were given up',
      {
        listFailingDeliveries: async () => [
          { merchantId: 'mer_1', failing: 0, exhausted: 1, lastError: 'The server answered 500.' },
        ],
      },
      { check: 'deliveries', verdict: 'bad' },
    ],
    [
      'a server that is reached and gives no usable answer to the final check',
      {
        listUnanswered: async () => [
          { merchantId: 'mer_1', payments: 12, lastAskedAt: now, lastAnswer: 'It answered 401.' },
        ],
      },
      {
        check: 'endpoint',
        verdict: 'warning',
        merchantId: 'mer_1',
        found: `12 payments wait, since the final check gets no usable answer. The last, at ${now.toISOString()}: It answered 401.`,
      },
    ],
    [
      'a server that is not reached',
      { reach: async () => ({ kind: 'failed', detail: 'a.example has no address.' }) },
      {
        check: 'endpoint',
        verdict: 'bad',
        merchantId: 'mer_1',
        found: 'https://a.example cannot be reached: a.example has no address.',
      },
    ],
    [
      'refused credentials',
      { testPsp: async () => ({ kind: 'refused', reason: 'revoked' }) },
      { check: 'psp', verdict: 'bad' },
    ],
    [
      'a silent processor',
      { testPsp: async () => ({ kind: 'unreachable', reason: 'no answer' }) },
      { check: 'psp', verdict: 'warning' },
    ],
    [
      'a narrow key',
      { testPsp: async () => ({ kind: 'accepted', warnings: ['No reads.'] }) },
      { check: 'psp', verdict: 'warning' },
    ],
    [
      'a wrong key',
      {
        verifyEncryptionKey: async () => {
          throw new AppError('encryption_key_wrong');
        },
      },
      { check: 'encryption_key', verdict: 'bad' },
    ],
  ])('%s', async (_name, change, wanted) => {
    const wrong = (await checkup(change)).filter(({ verdict }) => verdict !== 'good');
    expect(wrong).toEqual([expect.objectContaining({ action: expect.any(String), ...wanted })]);
  });
});

test('a process that keeps no data on a disk needs no room there', async () => {
  const findings = await checkup({ readDisk: async () => undefined });
  expect(findings.find(({ check }) => check === 'disk')).toEqual({
    check: 'disk',
    verdict: 'good',
    found: 'This process keeps no data on a disk.',
  });
});

test.each([
  [5 * gibibyte, 'good'],
  [5 * gibibyte - 1, 'warning'],
  [gibibyte, 'warning'],
  [gibibyte - 1, 'bad'],
])('a disk with %i bytes left is %s', async (freeBytes, verdict) => {
  const findings = await checkup({ readDisk: async () => ({ freeBytes, totalBytes: 9e12 }) });
  expect(findings.find(({ check }) => check === 'disk')?.verdict).toBe(verdict);
});

test('what cannot be looked at is a finding, in our own words alone', async () => {
  const findings = await checkup({
    countUnresolved: async () => {
      throw new Error('duplicate key (email)=(jane@example.com)');
    },
  });
  const wrong = findings.filter(({ verdict }) => verdict === 'bad');
  expect(wrong).toEqual([
    {
      check: 'unknown_charges',
      verdict: 'bad',
      found: 'This could not be checked.',
      action: 'Read the log of the service.',
    },
  ]);
});

test('a late piece of work is one that was due five minutes ago', async () => {
  let asked: Date | undefined;
  await checkup({
    listLate: async (before) => {
      asked = before;
      return [];
    },
  });
  expect(asked).toEqual(new Date('2026-03-01T11:55:00Z'));
});

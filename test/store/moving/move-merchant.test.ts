import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import { archivePayments } from '../../../src/store/archive/archive-payments.ts';
import type { DatabaseAddress } from '../../../src/store/cell.ts';
import { listLate } from '../../../src/store/checkup/read-work.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { countDue, earliestDue } from '../../../src/store/due-times.ts';
import { createDeliveryStore } from '../../../src/store/engine/delivery-store.ts';
import { createPaymentStore } from '../../../src/store/engine/payment-store.ts';
import { createUnknownChargeStore } from '../../../src/store/engine/unknown-charge-store.ts';
import { createRequestLog } from '../../../src/store/intake/request-log.ts';
import { createModelStore } from '../../../src/store/learned/model-store.ts';
import { listMoves } from '../../../src/store/moving/list-moves.ts';
import { movedTables } from '../../../src/store/moving/moved-tables.ts';
import { makePspEventMonths } from '../../../src/store/psp-events/event-months.ts';
import { createRestoreStore } from '../../../src/store/reconciliation/restore-store.ts';
import { type KeyProvider, localKeyProvider } from '../../../src/store/sealing/key-provider.ts';
import { createKeyRing } from '../../../src/store/sealing/key-ring.ts';
import { createRotationStore } from '../../../src/store/sealing/rotation-store.ts';
import { createSealer } from '../../../src/store/sealing/sealer.ts';
import {
  ownPepperUse,
  pepperUseOf,
  serviceKeyPlace,
} from '../../../src/store/sealing/service-key.ts';
import { wrapKey } from '../../../src/store/sealing/wrapped-key.ts';
import { redeliverEvent } from '../../../src/store/views/event-views.ts';
import { showPayment } from '../../../src/store/views/payment-views.ts';
import { failedEvent, worldStart } from '../../kits/billing-events.ts';
import { changeSchema } from '../../kits/change-schema.ts';
import { isOnCitus } from '../../kits/cluster/empty-shards.ts';
import { copyTemplate, databaseOf, databaseUrl, letCopy } from '../../kits/cluster/test-cluster.ts';
import {
  createTestDatabase,
  dropWhereAllowed,
  schemaStringOf,
  type TestDatabase,
  testCluster,
} from '../../kits/database.ts';
import { type EngineWorld, random, useEngineWorld } from '../../kits/engine.ts';
import { findFaults } from '../../kits/engine-faults.ts';
import { untilLockWaits } from '../../kits/lock-waits.ts';
import {
  CutOff,
  clear,
  forgetMoves,
  makeCell,
  move,
  sourceKeys,
  steps,
  takeBack,
  targetKeys,
} from '../../kits/moving.ts';
import { leaseMs, type Worker } from '../../kits/worker.ts';

const engineWorld = useEngineWorld();

/** A database with an empty cell: made once, and copied for each test. */
let made: TestDatabase;
let cell: DatabaseAddress;
beforeAll(async () => {
  made = await createTestDatabase();
  cell = await makeCell(made.connectionString, 'cell_2');
  await letCopy((await testCluster()).nodes, databaseOf(made.connectionString));
});
afterAll(() => made.drop());

async function copyOfCell() {
  const cluster = await testCluster();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = databaseOf(made.connectionString);
  await copyTemplate({ ...cluster, template }, name);
  return {
    connectionString: databaseUrl(cell.connectionString, name),
    drop: () => dropWhereAllowed(cluster, name),
  };
}

const firstTry = addMs(worldStart, dayMs);

interface MovingWorld {
  readonly world: EngineWorld;
  readonly way: Parameters<typeof move>[0];
  readonly other: Database;
  /** A worker of the other cell, before the same PSP and merchant. */
  readonly there: Worker;
  rows(text: string): Promise<readonly Record<string, unknown>[]>;
  rowsThere(text: string): Promise<readonly Record<string, unknown>[]>;
}

/** A merchant with payments in every state, beside another one; and another database with a cell in it. */
async function movingWorld(): Promise<MovingWorld> {
  const world = await engineWorld();
  const elsewhere = await copyOfCell();
  const { merchantId, connectionString } = world;
  const other = openDatabase(
    { log: { warn() {} } },
    { connectionString: elsewhere.connectionString, schema: 'cell_2', poolSize: 4 },
  );
  onTestFinished(async () => {
    await forgetMoves({ connectionString });
    await other.close();
    await elsewhere.drop();
  });
  const to = { connectionString: elsewhere.connectionString, schema: 'cell_2' };
  for (const [id, method] of Object.entries(methods)) {
    await world.submit(
      failedEvent({
        invoiceId: id,
        customerId: `cus_${id}`,
        methods: [`pm_sandbox_${method}--${id}`],
      }),
    );
  }
  await world.settle();
  await world.runUntil(firstTry);
  // The paid one goes into the archive.
  const before = addMs(firstTry, dayMs);
  while ((await archivePayments(world.db, { before, at: world.clock.now() })) > 0);
  const stranger = await world.addMerchant();
  await world.db.query(
    {
      name: 'stranger',
      text: `insert into closed_invoices (merchant_id, invoice_id, reason, closed_at)
             values ($1, 'in_of_another', 'merchant_stop', now())`,
    },
    [stranger.merchantId],
  );
  return {
    world,
    way: { from: { connectionString }, to, merchantId },
    other,
    there: world.worker(() => ({
      payments: createPaymentStore({ db: other, random }),
      deliveries: createDeliveryStore(other),
      endpointDeliveries: createDeliveryStore(other, 'endpoint_deliveries'),
      unknownCharges: createUnknownChargeStore(other),
      requestLog: createRequestLog({ db: other, random }),
    })),
    rows: (text) => world.rows(text, [merchantId]),
    rowsThere: async (text) => (await other.pool.query(text, [merchantId])).rows,
  };
}

const methods = {
  in_paid: 'success',
  in_declined: 'decline_51',
  in_later: 'success_after_2',
  in_lost: 'lost_success',
} as const;

/** How many rows each moved table has of the merchant. */
const counted = movedTables
  .map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as rows from ${name} where merchant_id = $1`,
  )
  .join(' union all ');

/** Where the merchant is worked for: what a claim takes there, long after. */
async function takers({ world, there }: MovingWorld): Promise<readonly string[]> {
  const [ours, theirs] = [world.worker(), there];
  world.clock.set(addMs(firstTry, 40 * dayMs));
  const taken = [await ours.claimPayments(), await theirs.claimPayments()];
  return taken.flatMap((payments, at) =>
    payments.length > 0 ? [['here', 'there'][at] ?? ''] : [],
  );
}

describe('a move that is cut off after a step', () => {
  it.each(steps)('%s is gone on with, and works for the merchant nowhere twice', async (until) => {
    const moving = await movingWorld();
    const before = await moving.rows(counted);
    await expect(move(moving.way, { until })).rejects.toThrow(CutOff);
    const isSwitched = ['switched', 'moved'].includes(until);
    expect((await moving.rowsThere(counted)).some(({ rows }) => rows !== 0)).toBe(isSwitched);
    if (until === 'moved') {
      await expect(move(moving.way)).rejects.toMatchObject({ code: 'merchant_moved' });
    } else await move(moving.way);
    const after = await moving.rowsThere(counted);
    const recounted = ['charge_hour_rollups', 'charge_cause_rollups'];
    const ofRows = (all: typeof after) =>
      all.filter(({ name }) => name !== 'audit_log' && !recounted.includes(String(name)));
    expect(ofRows(after)).toEqual(ofRows(before));
    expect(await takers(moving)).toEqual(['there']);
  });

  it('and comes to its end brings the archive along', async () => {
    const moving = await movingWorld();
    const { merchantId } = moving.world;
    const before = await moving.world.payment('in_paid');
    expect(
      await moving.rows('select 1 from archived_payments where merchant_id = $1'),
    ).toHaveLength(1);
    await move(moving.way);
    expect(await showPayment(moving.other, { merchantId, invoiceId: 'in_paid' })).toEqual(before);
    const eventId = before.deliveries[0]?.eventId ?? 'none';
    const at = moving.world.clock.now();
    const sent = await moving.other.transaction((tx) =>
      redeliverEvent(tx, { merchantId, eventId, at }),
    );
    expect(sent).toEqual({ kind: 'queued' });
    expect(await findFaults(moving.other, () => moving.world.ledger())).toEqual([]);
  });

  it('brings notes of PSPs’ events into the tables of their months there', async ({ skip }) => {
    const moving = await movingWorld();
    skip(await isOnCitus(moving.other.pool), 'a node of Citus makes no tables');
    const at = new Date('2026-03-15T12:00:00Z');
    await makePspEventMonths(moving.other, at);
    await moving.rows(
      `insert into psp_event_notes (merchant_id, psp, event_id, month, type, kind, outcome, occurred_at, received_at)
       select $1, 'stripe', 'evt_' || n, case when n = 601 then date '2020-01-01' else '2026-03-01' end,
              'x', 'not_used', 'nothing_to_do', t, t
       from generate_series(1, 601) n,
            lateral (select case when n = 601 then timestamptz '2020-01-15' else '2026-03-15' end as t) at`,
    );
    await move(moving.way);
    const places = await moving.rowsThere(
      `select tableoid::regclass::text as place, count(*)::int from psp_event_notes
       where merchant_id = $1 group by 1 order by 1`,
    );
    expect(places).toEqual([
      { place: 'psp_event_notes_2026_03', count: 600 },
      { place: 'psp_event_notes_rest', count: 1 },
    ]);
  });

  it.each(steps.slice(0, 6))('%s can be taken back', async (until) => {
    const moving = await movingWorld();
    const before = await moving.rows(counted);
    await expect(move(moving.way, { until })).rejects.toThrow(CutOff);
    await takeBack(moving.way);
    await expect(move(moving.way, { until: 'switched' })).rejects.toThrow(CutOff);
    await expect(takeBack(moving.way)).rejects.toMatchObject({ code: 'move_switched' });
    expect((await moving.rows(counted)).filter(({ name }) => name !== 'audit_log')).toEqual(
      before.filter(({ name }) => name !== 'audit_log'),
    );
  });

  it('fenced, and taken back, can be written again', async () => {
    const moving = await movingWorld();
    await expect(move(moving.way, { until: 'fenced' })).rejects.toThrow(CutOff);
    await expect(moving.world.submit(failedEvent({ invoiceId: 'in_new' }))).rejects.toMatchObject({
      code: 'merchant_moving',
    });
    await takeBack(moving.way);
    await moving.world.submit(failedEvent({ invoiceId: 'in_new' }));
    expect(await takers(moving)).toEqual(['here']);
  });
});

/** A payment that a worker has taken, and stands still with while the merchant moves. */
async function takenBefore({ world, way }: MovingWorld) {
  const at = world.clock.now();
  await world.submit(failedEvent({ invoiceId: 'in_due', customerId: 'cus_due', at }));
  await world.settle();
  world.clock.set(addMs(firstTry, 2 * dayMs));
  const taken = (await world.claimPayments()).filter(
    ({ payment }) => payment.invoiceId === 'in_due',
  );
  expect(taken).toHaveLength(1);
  await move(way);
  return taken;
}

describe('whoever wakes up late', () => {
  it('charges nothing of what was taken before the move', async () => {
    const moving = await movingWorld();
    const { world, there } = moving;
    const taken = await takenBefore(moving);
    for (const payment of taken) await world.run(payment).catch(() => undefined);
    expect(await world.ledger('in_due')).toEqual([]);
    world.clock.passMs(2 * leaseMs);
    await there.settle();
    expect(await world.ledger('in_due')).toMatchObject([{ status: 'succeeded' }]);
    expect(there.failures).toEqual([]);
    expect(await findFaults(moving.other, () => world.ledger())).toEqual([]);
  });

  it('would charge without the fence, under the key that the other cell charges under, so once', async () => {
    const moving = await movingWorld();
    const { world, there } = moving;
    const taken = await takenBefore(moving);
    for (const { name } of movedTables) {
      await changeSchema(
        world.connectionString,
        `drop trigger if exists moved_merchants on ${name}`,
      );
    }
    for (const payment of taken) await world.run(payment);
    expect(await world.ledger('in_due')).toMatchObject([{ status: 'succeeded' }]);
    world.clock.passMs(2 * leaseMs);
    await there.settle();
    expect(await world.ledger('in_due')).toHaveLength(1);
    expect(await findFaults(moving.other, () => world.ledger())).toEqual([]);
  });

  it('writes nothing of it, and what it writes with it of others is written', async () => {
    const { world, way } = await movingWorld();
    await move(way);
    const ours = world.submit(failedEvent({ invoiceId: 'in_new' }));
    await expect(ours).rejects.toMatchObject({ code: 'merchant_moving' });
    const update = `update payments set updated_at = now() where merchant_id = $1`;
    const store = world.db.query({ name: 'late', text: update }, [way.merchantId]);
    await expect(store).rejects.toMatchObject({ code: 'merchant_moving' });
    const others = `update closed_invoices set closed_at = now() where merchant_id <> $1 returning 1`;
    expect(await world.rows(others, [way.merchantId])).toHaveLength(1);
  });
});

it('the fence waits for who has written, and others write on when it has waited too long', async () => {
  const { world, way } = await movingWorld();
  const { pool } = world.db;
  const writer = await pool.connect();
  const write = `update payments set updated_at = updated_at where merchant_id = $1 and invoice_id = $2`;
  await writer.query('begin');
  await writer.query(write, [way.merchantId, 'in_later']);
  let isFenced = false;
  const fencing = move(way, {
    reached(step) {
      isFenced ||= step === 'fenced';
    },
    until: 'fenced',
  });
  await untilLockWaits((text) => world.rows(text));
  // Behind the one that waits for the table, and let go before it is had.
  await pool.query(`update payments set updated_at = updated_at where merchant_id <> $1`, [
    way.merchantId,
  ]);
  await writer.query(write, [way.merchantId, 'in_later']);
  expect(isFenced).toBe(false);
  await writer.query('commit');
  writer.release();
  await expect(fencing).rejects.toThrow(CutOff);
  const late = pool.query(write, [way.merchantId, 'in_later']);
  await expect(late).rejects.toMatchObject({ code: 'RC002' });
});

describe('rows that are other in the other cell', () => {
  it('keep the move from being switched', async () => {
    const moving = await movingWorld();
    const { connectionString } = moving.way.to;
    await changeSchema(
      connectionString,
      `create function cell_2.spoil() returns trigger language plpgsql as
         $$ begin new.attempt_count := new.attempt_count + 1; return new; end $$`,
    );
    await changeSchema(
      connectionString,
      'create trigger spoil before insert on cell_2.payments for each row execute function cell_2.spoil()',
    );
    await expect(move(moving.way)).rejects.toMatchObject({
      code: 'move_rows_differ',
      message: expect.stringContaining('payments (other values)'),
    });
    expect(await moving.rowsThere(counted)).toEqual(
      (await moving.rows(counted)).map(({ name }) => ({ name, rows: 0 })),
    );
    await takeBack(moving.way);
    expect(await takers(moving)).toEqual(['here']);
  });

  it('are found where one was lost on its way', async () => {
    const moving = await movingWorld();
    const lose = async () => {
      await moving.other.pool.query(
        `update moving_rows set rows = rows[2:], count = count - 1 where table_name = 'card_attempts'`,
      );
    };
    // After the last pass, which would have sent it again.
    const lost = move(moving.way, { reached: (step) => (step === 'copied' ? lose() : undefined) });
    await expect(lost).rejects.toMatchObject({
      code: 'move_rows_differ',
      message: expect.stringMatching(/card_attempts \(\d+ and \d+ rows\)/),
    });
    await move(moving.way);
    expect(await takers(moving)).toEqual(['there']);
  });
});

it('what changes between the passes is sent with the last one', async () => {
  const { world, way, rowsThere } = await movingWorld();
  await move(way, {
    async reached(step) {
      if (step === 'copied_ahead') {
        await world.submit(failedEvent({ invoiceId: 'in_new', customerId: 'cus_new' }));
        await world.stop('in_later');
      }
    },
  });
  expect(
    await rowsThere(`select state, stop_reason from payments
                     where merchant_id = $1 and invoice_id = 'in_later'`),
  ).toEqual([{ state: 'stopped', stop_reason: 'merchant_stop' }]);
  expect(await rowsThere('select count(*)::int as n from requests where merchant_id = $1')).toEqual(
    [{ n: 5 }],
  );
});

it.each([
  ['are far above', 1],
  ['come next', 900_000_000_000_000],
])('requests are numbered above those that methods remember, which %s', async (_, next) => {
  const { way, rows, rowsThere } = await movingWorld();
  const latest = 900_000_000_000_000;
  await rows(`update payment_methods set last_sequence = ${latest} where merchant_id = $1`);
  const [first] = await rowsThere(
    `select setval('request_sequence', greatest(min_value, ${next}), false) from pg_sequences
     where sequencename = 'request_sequence' and schemaname = current_schema() and $1 <> ''`,
  );
  expect(first).toBeDefined();
  await move(way);
  const [given] = await rowsThere(
    `select nextval('request_sequence')::text as number where $1 <> ''`,
  );
  expect(given).toEqual({ number: String(latest + 1) });
});

it('a merchant whose customers were sent links or messages stays, since their keys would', async () => {
  const { way, rows, rowsThere } = await movingWorld();
  const begun = 'select count(*)::int as n from merchant_arrivals where merchant_id = $1';
  for (const [set, undo] of [
    [
      "update merchants set customer_page_url = 'https://shop.test/{token}' where merchant_id = $1",
      'update merchants set customer_page_url = null where merchant_id = $1',
    ],
    [
      `insert into message_suppressions select $1, repeat('a', 64), 'stopped', now()`,
      'delete from message_suppressions where merchant_id = $1',
    ],
  ] as const) {
    await rows(set);
    await expect(move(way)).rejects.toMatchObject({ code: 'move_messages_stay' });
    expect(await rowsThere(begun)).toEqual([{ n: 0 }]);
    await rows(undo);
  }
  expect(await move(way)).not.toEqual([]);
});

it('a merchant that has moved can move back, with all that happened there', async () => {
  const moving = await movingWorld();
  const { world, way, there } = moving;
  await move(way);
  await expect(move({ ...way, from: way.to, to: way.from })).rejects.toMatchObject({
    code: 'move_target_taken',
  });
  expect(await clear(way)).toBeGreaterThan(20);
  expect((await moving.rows(counted)).filter(({ rows }) => rows !== 0)).toEqual([
    { name: 'audit_log', rows: 1 },
  ]);
  world.clock.set(addMs(firstTry, 3 * dayMs));
  await there.settle();
  const before = await moving.rowsThere(counted);
  await move({ ...way, from: way.to, to: way.from });
  const rowsOf = (all: typeof before) =>
    all.filter(({ name }) => !/audit_log|^charge_/.test(String(name)));
  expect(rowsOf(await moving.rows(counted))).toEqual(rowsOf(before));
  expect(await takers(moving)).toEqual(['here']);
  expect(
    await moving.rows(`select action from audit_log where merchant_id = $1 order by line`),
  ).toEqual(
    ['move_begun', 'moved_here', 'move_begun', 'moved_here'].map((what) => ({
      action: `merchant.${what}`,
    })),
  );
  expect(await findFaults(world.db, () => world.ledger())).toEqual([]);
});

describe('keys', () => {
  const other = localKeyProvider({ random }, Buffer.alloc(32, 3));
  /** Credentials of the merchant, by what they begin with. */
  const issue = ({ rows }: MovingWorld, ...prefixes: readonly string[]) =>
    Promise.all(
      prefixes.map((prefix) =>
        rows(`insert into credentials
                (merchant_id, credential_id, kind, hash, prefix, last_four, created_at)
              values ($1, '${prefix}', 'recovery_api_key', sha256('${prefix}'), '${prefix}', 'aaaa', now())`),
      ),
    );
  /** What a cell's keys are hashed by; in each database another one. */
  const keepPepper = async (
    db: Database,
    keys: KeyProvider,
    use: string,
    byte: number,
  ): Promise<void> => {
    const wrapped = await wrapKey(keys, Buffer.alloc(32, byte), serviceKeyPlace(use));
    await db.pool.query(
      `insert into service_keys (use, wrapped_key, created_at) values ($1, $2, now())`,
      [use, wrapped],
    );
  };
  const peppersThere = async ({ rowsThere }: MovingWorld) =>
    (await rowsThere(`select use from service_keys where $1 <> '' order by use`)).map(
      ({ use }) => use,
    );
  const begun = ({ rows }: MovingWorld) =>
    rows('select state from merchant_moves where merchant_id = $1');

  it('that are not those of the other cell are told before anything is begun', async () => {
    const moving = await movingWorld();
    await keepPepper(moving.other, targetKeys, ownPepperUse, 9);
    await expect(move(moving.way, { theirs: other })).rejects.toMatchObject({
      code: 'encryption_key_wrong',
      message: expect.stringContaining('of the other cell'),
    });
    expect(await begun(moving)).toEqual([]);
    await move(moving.way);
  });

  it('that are not those of this cell are told before calls are closed', async () => {
    const moving = await movingWorld();
    await keepPepper(moving.world.db, sourceKeys, ownPepperUse, 8);
    await expect(move(moving.way, { ours: other })).rejects.toMatchObject({
      code: 'encryption_key_wrong',
      message: expect.stringContaining('of this cell'),
    });
    expect(await begun(moving)).toEqual([]);
    await move(moving.way);
  });

  it('of two Recoups of one name, or of none, are not taken for each other’s', async () => {
    const moving = await movingWorld();
    const { world, way } = moving;
    await keepPepper(world.db, sourceKeys, ownPepperUse, 8);
    await keepPepper(moving.other, targetKeys, ownPepperUse, 9);
    // Merchants of another Recoup that is no cell were moved there.
    await keepPepper(moving.other, targetKeys, pepperUseOf(''), 7);
    await issue(moving, 'rk_live_zz');
    await expect(move(way)).rejects.toMatchObject({
      code: 'move_cell_name_taken',
      message: expect.stringContaining('name no cell'),
    });
    expect(await begun(moving)).toEqual([]);
    await moving.other.pool.query('delete from service_keys where use = $1', [pepperUseOf('')]);
    // One that comes while this one is on its way.
    const late = move(way, {
      reached: (step) =>
        step === 'copied' ? keepPepper(moving.other, targetKeys, pepperUseOf(''), 7) : undefined,
    });
    await expect(late).rejects.toMatchObject({ code: 'move_cell_name_taken' });
    await takeBack(way);
    expect(await takers(moving)).toEqual(['here']);
  });

  it('of a cell that only other merchants have keys of do not keep one away', async () => {
    const moving = await movingWorld();
    const { world, way } = moving;
    await keepPepper(world.db, sourceKeys, ownPepperUse, 8);
    await keepPepper(world.db, sourceKeys, pepperUseOf('north'), 6);
    await keepPepper(moving.other, targetKeys, ownPepperUse, 9);
    await keepPepper(moving.other, targetKeys, pepperUseOf('north'), 7);
    await issue(moving, 'rk_live_zz', 'dp_zz');
    await move(way);
    expect(await peppersThere(moving)).toEqual([
      ownPepperUse,
      pepperUseOf(''),
      pepperUseOf('north'),
    ]);
  });
});

describe('the fence around a merchant that has moved keeps nobody from', () => {
  it('rotating the key of the cell that it left', async () => {
    const { way, world, rows } = await movingWorld();
    const { merchantId } = way;
    const sealer = createSealer({ keys: sourceKeys, random });
    const { wrappedKey } = await sealer.newDataKey(merchantId, 1);
    await world.db.pool.query('insert into data_keys values ($1, 1, $2, now())', [
      merchantId,
      wrappedKey,
    ]);
    await move(way);
    const keys = createKeyRing(targetKeys, [sourceKeys]);
    const db = world.db;
    const rotations = createRotationStore({ db, keys, sealer: createSealer({ keys, random }) });
    const at = new Date();
    await rotations.begin({ rotationId: 'rot_1', keyId: keys.keyId, newDataKeys: true, at });
    while (!(await rotations.step(at)).ended);
    const wrapped = await rows('select key_id, version from data_keys where merchant_id = $1');
    expect(new Set(wrapped.map(({ key_id: keyId }) => keyId))).toEqual(new Set([keys.keyId]));
    await clear(way);
    expect(await rows('select 1 from data_keys where merchant_id = $1')).toEqual([]);
  });

  it('checking a restored backup of the cell that it left', async () => {
    const { way, world, rows } = await movingWorld();
    const restores = createRestoreStore(world.db);
    const check = async (day: number) => {
      await restores.begin({ restoredFrom: addMs(worldStart, day * dayMs), at: new Date() });
      while (await restores.markPayments());
      const { restoredFrom, payments } = (await restores.findMarked()) ?? {};
      if (restoredFrom !== undefined) await restores.end({ restoredFrom, at: new Date() });
      return payments;
    };
    await expect(move(way, { until: 'begun' })).rejects.toThrow(CutOff);
    // It may be taken back yet.
    const [open] = await rows(
      `select count(*)::int as n from payments where merchant_id = $1 and state in ('scheduled', 'attempting')`,
    );
    expect(open?.n).toBeGreaterThan(1);
    expect(await check(0)).toBe(open?.n);
    await move(way);
    expect(await check(1)).toBe(0);
  });

  it('watching the models of the cell that it left', async () => {
    const { way, world, rows } = await movingWorld();
    await rows(
      `insert into models (merchant_id, model_id, status, origin, metrics, parameters, created_at, activated_at, activated_by)
       values ($1, 'mdl_1', 'active', 'trained', '{}', '{}', now(), now(), 'training')`,
    );
    await move(way);
    const counts = { tries: 0, successes: 0, foretold: 0, variance: 0, rankSum: 0 };
    const { merchantId } = way;
    const at = new Date();
    await createModelStore(world.db).noteDrift({ merchantId, modelId: 'mdl_1', counts, at });
    expect(await rows('select drift from models where merchant_id = $1')).toEqual([
      { drift: null },
    ]);
  });
});

it('doctor is told of a move that nobody goes on with, and of no late work of whoever left', async () => {
  const { way, world } = await movingWorld();
  const { db } = world;
  const moves = () => listMoves(db, { cell: undefined });
  const late = addMs(firstTry, 100 * dayMs);
  const payments = (await listLate(db, late)).find(({ table }) => table === 'payments');
  expect(payments?.count).toBeGreaterThan(0);
  const cutOff = move(way, {
    async reached(step) {
      const isMoving = true;
      if (step === 'begun') expect(await moves()).toMatchObject([{ state: 'draining', isMoving }]);
    },
    until: 'closed',
  });
  await expect(cutOff).rejects.toThrow(CutOff);
  const { merchantId } = way;
  const halted = { merchantId, toCell: 'cell_2', state: 'closing', isMoving: false };
  expect(await moves()).toMatchObject([halted]);
  await move(way);
  expect(await moves()).toMatchObject([{ state: 'moved', movedAt: expect.any(Date) }]);
  expect(await listLate(db, late)).toEqual([]);
  expect(await earliestDue(db)).toBeUndefined();
  expect(Object.values(await countDue(db, late))).toEqual([0, 0, 0, 0, 0]);
  await clear(way);
  expect(await moves()).toEqual([]);
});

it('a merchant that came back is not given to the copy of its earlier stay', async () => {
  const moving = await movingWorld();
  const { way } = moving;
  const back = { ...way, from: way.to, to: way.from };
  await move(way);
  await clear(way);
  await move(back);
  await expect(move(way)).rejects.toMatchObject({ code: 'move_target_taken' });
  expect(await moving.rows('select 1 from merchant_moves where merchant_id = $1')).toEqual([]);
  await clear(back);
  await move(way);
  expect(await takers(moving)).toEqual(['there']);
});

it('a cell that was restored from before the switch gives the merchant up again', async () => {
  const moving = await movingWorld();
  await move(moving.way);
  await forgetMoves(moving.way.from);
  expect(await takers(moving)).toEqual(['here', 'there']);
  await move(moving.way);
  expect(await moving.rows('select state from merchant_moves where merchant_id = $1')).toEqual([
    { state: 'moved' },
  ]);
  moving.world.clock.passMs(2 * leaseMs);
  expect(await moving.world.claimPayments()).toEqual([]);
  expect(await moving.there.claimPayments()).not.toEqual([]);
});

it('a cell that was restored to a step before the switch gives the merchant up, too', async () => {
  const moving = await movingWorld();
  const { way, rows, rowsThere, world } = moving;
  await move(way);
  await forgetMoves(way.from);
  const [arrival] = await rowsThere('select move_id from merchant_arrivals where merchant_id = $1');
  await rows(
    `insert into merchant_moves (merchant_id, move_id, state, to_cell, recovery_url, disputes_url, begun_at)
     values ($1, '${arrival?.move_id}', 'draining', 'cell_2', 'http://127.0.0.1:1', 'http://127.0.0.1:2', now())`,
  );
  await expect(takeBack(way)).rejects.toMatchObject({ code: 'move_switched' });
  await move(way);
  expect(await rows('select state from merchant_moves where merchant_id = $1')).toEqual([
    { state: 'moved' },
  ]);
  await expect(world.submit(failedEvent({ invoiceId: 'in_new' }))).rejects.toMatchObject({
    code: 'merchant_moving',
  });
  expect(await takers(moving)).toEqual(['there']);
});

it('a cell that was restored from before the switch passes on to one that has moved it on', async () => {
  const moving = await movingWorld();
  const { way, world, rows, rowsThere } = moving;
  const third = await makeCell(world.connectionString, 'cell_3', 'same');
  onTestFinished(() => changeSchema(world.connectionString, 'drop schema cell_3 cascade'));
  await move(way);
  const on = { ...way, from: way.to, to: third };
  await move(on);
  await clear(on);
  await forgetMoves(way.from);
  // The third one never had it from here.
  await expect(move({ ...way, to: third })).rejects.toMatchObject({ code: 'merchant_moved' });
  await move(way);
  expect(await rows('select state, to_cell from merchant_moves where merchant_id = $1')).toEqual([
    { state: 'moved', to_cell: 'cell_2' },
  ]);
  expect(await rowsThere('select 1 from payments where merchant_id = $1')).toEqual([]);
});

describe('a move is refused', () => {
  it('of a merchant that is not there, and of one that has moved', async () => {
    const { way } = await movingWorld();
    await expect(move({ ...way, merchantId: 'mer_none' })).rejects.toMatchObject({
      code: 'merchant_not_here',
    });
    await expect(takeBack(way)).rejects.toMatchObject({ code: 'move_unknown' });
    await expect(move(way, { until: 'begun' })).rejects.toThrow(CutOff);
    await expect(clear(way)).rejects.toMatchObject({ code: 'move_not_switched' });
    await move(way);
    await expect(move(way)).rejects.toMatchObject({ code: 'merchant_moved' });
  });

  it('to its own cell, to a cell of another version, and elsewhere than it was begun to', async () => {
    const { way, world, other } = await movingWorld();
    await expect(move({ ...way, to: way.from })).rejects.toMatchObject({ code: 'move_cells_same' });
    const third = await makeCell(world.connectionString, 'cell_3');
    onTestFinished(() => changeSchema(world.connectionString, 'drop schema cell_3 cascade'));
    await expect(move(way, { until: 'begun' })).rejects.toThrow(CutOff);
    await expect(move({ ...way, to: third })).rejects.toMatchObject({
      code: 'move_target_differs',
    });
    await other.pool.query(`delete from migrations where name like '0131%'`);
    await expect(move(way)).rejects.toMatchObject({
      code: 'move_schemas_differ',
      message: expect.stringContaining('0131_merchant_moves_checked.sql'),
    });
  });

  it('while another command works on it, and while its work does not end', async () => {
    const { way, world } = await movingWorld();
    const second = move(way, {
      async reached(step) {
        if (step === 'begun') {
          await expect(move(way)).rejects.toMatchObject({ code: 'move_under_way' });
        }
      },
      until: 'begun',
    });
    await expect(second).rejects.toThrow(CutOff);
    await world.rows(
      `update payments set lease_until = now() + interval '1 hour'
       where merchant_id = $1 and invoice_id = 'in_declined'`,
      [way.merchantId],
    );
    await expect(move(way, { drainTimeoutMs: 400 })).rejects.toMatchObject({
      code: 'move_not_drained',
      message: expect.stringContaining('1 of payments in hand'),
    });
  });

  it('by another node of Citus than the one that holds the cell', async ({ skip }) => {
    const { way, world } = await movingWorld();
    skip(!(await isOnCitus(world.db.pool)), 'there is one node');
    for (const end of ['from', 'to'] as const) {
      const connectionString = await schemaStringOf(way[end].connectionString);
      await expect(
        move({ ...way, [end]: { ...way[end], connectionString } }),
      ).rejects.toMatchObject({ code: 'move_not_at_node' });
    }
  });

  it('where the clocks of the cells stand apart by more than clocks do', async () => {
    const { way, world, other } = await movingWorld();
    const standAt = (cell: Database, offsetMs: number) =>
      cell.pool.query('update sandbox_clock set offset_ms = $1', [offsetMs]);
    await standAt(other, 9_000);
    await expect(move(way)).rejects.toMatchObject({
      code: 'move_clocks_differ',
      message: expect.stringMatching(/The clock there is \d+ ms ahead of this cell's\./),
    });
    await standAt(world.db, 18_000);
    onTestFinished(async () => {
      await standAt(world.db, 0);
    });
    await expect(move(way)).rejects.toMatchObject({
      code: 'move_clocks_differ',
      message: expect.stringMatching(/The clock there is \d+ ms behind this cell's\./),
    });
    // Moved by the same jumps, two sandboxes differ by what the jumps took.
    await standAt(other, 17_900);
    expect(await move(way)).not.toHaveLength(0);
  });
});

it.each([
  ['the cell that it leaves', 'copied'],
  ['the cell that it comes to', 'copied'],
  ['the cell that it leaves', 'fenced'],
] as const)(
  'a connection to %s that breaks off once it is %s is told as that, and the same move again goes on',
  async (which, step) => {
    const { way, rows, rowsThere, world, other } = await movingWorld();
    const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and application_name like 'recoup move%'`;
    const broken = move(way, {
      async reached(reached) {
        if (reached !== step) return;
        if (which === 'the cell that it leaves') await world.rows(cut);
        else await other.pool.query(cut);
      },
    });
    await expect(broken).rejects.toMatchObject({
      code: 'database_unreachable',
      message: expect.stringMatching(
        /^The connection to the database at .+:\d+ broke off\. .*run the same command again/,
      ),
    });
    const before = await rows('select invoice_id from payments where merchant_id = $1 order by 1');
    await move(way);
    expect(before).not.toEqual([]);
    expect(
      await rowsThere('select invoice_id from payments where merchant_id = $1 order by 1'),
    ).toEqual(before);
  },
);

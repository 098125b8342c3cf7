import { beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { connectToCell } from '../../../src/store/moving/cell-connection.ts';
import { checkEnds } from '../../../src/store/moving/check-ends.ts';
import { copyRows } from '../../../src/store/moving/copy-rows.ts';
import { raiseFence } from '../../../src/store/moving/fence.ts';
import { abandonArrival } from '../../../src/store/moving/move-record.ts';
import { CutOff, clear, move, takeBack, twoCellsInOne } from '../../kits/moving.ts';
import { seedMerchant, seedPayment } from '../reports/seed.ts';

const merchantId = 'mer_leaver';

let here: Database;
let there: Database;
let way: Parameters<typeof move>[0];
beforeEach(async () => {
  ({ here, there, way } = await twoCellsInOne(merchantId));
  await seedMerchant(here, merchantId);
  await seedPayment(here, { merchantId, invoiceId: 'in_1' });
});

const payments = async (db: Database) =>
  (await db.pool.query('select from payments where merchant_id = $1', [merchantId])).rowCount;
const waiting = async () => (await there.pool.query('select from moving_rows')).rowCount;
const write = (db: Database) =>
  db.pool.query('update payments set updated_at = now() where merchant_id = $1', [merchantId]);
const fenceAgain = async () => {
  const cell = await connectToCell(way.from);
  await raiseFence(cell, { add: merchantId });
  await cell.close();
};

const arriveFrom = (cell: string) =>
  there.pool.query(
    `insert into merchant_arrivals (merchant_id, move_id, state, from_cell, begun_at)
     values ($1, 'mov_lost', 'copying', $2, now())`,
    [merchantId, cell],
  );

it('a move that is killed when only the other cell knows of it is begun anew', async () => {
  await arriveFrom('');
  await move(way);
  expect([await payments(here), await payments(there)]).toEqual([1, 1]);
  await expect(write(here)).rejects.toMatchObject({ code: 'RC002' });
});

it('a move that is not known any more in the cell that was restored can be taken back, and leaves nothing', async () => {
  await expect(move(way, { until: 'copied_ahead' })).rejects.toThrow(CutOff);
  // As in the backup from before the move.
  await here.pool.query('delete from merchant_moves');
  expect(await waiting()).toBeGreaterThan(0);
  await takeBack(way);
  expect(await waiting()).toBe(0);
  await expect(takeBack(way)).rejects.toMatchObject({ code: 'move_unknown' });
  await move(way);
  expect([await payments(here), await payments(there)]).toEqual([1, 1]);
});

it('a move out of a third cell is not taken back from here', async () => {
  await arriveFrom('cell_3');
  await expect(takeBack(way)).rejects.toMatchObject({ code: 'move_unknown' });
  const { rows } = await there.pool.query('select state from merchant_arrivals');
  expect(rows).toEqual([{ state: 'copying' }]);
});

it('rows that are sent late, by a command that was cut off from the old cell, do not stay there', async () => {
  await expect(move(way, { until: 'begun' })).rejects.toThrow(CutOff);
  const [source, target] = await Promise.all([connectToCell(way.from), connectToCell(way.to)]);
  const tables = await checkEnds({ source, target });
  await takeBack(way);
  for (const table of tables.filter(({ name }) => name === 'payments')) {
    const late = copyRows({ source, target, merchantId }, table);
    await expect(late).rejects.toMatchObject({ code: 'move_abandoned' });
  }
  await Promise.all([source.close(), target.close()]);
  expect(await waiting()).toBe(0);
});

it('taking back that is killed when the other cell has given up does not move, and is gone on with', async () => {
  await expect(move(way, { until: 'copied' })).rejects.toThrow(CutOff);
  const { rows } = await there.pool.query('select move_id from merchant_arrivals');
  const target = await connectToCell(way.to);
  await abandonArrival(target, { merchantId, moveId: rows[0].move_id, at: new Date() });
  await target.close();
  await expect(move(way)).rejects.toMatchObject({ code: 'move_abandoned' });
  await expect(write(here)).rejects.toMatchObject({ code: 'RC002' });
  await takeBack(way);
  expect((await write(here)).rowCount).toBe(1);
  await move(way);
  expect(await payments(there)).toBe(1);
});

it.each([
  ['is run again', true],
  ['is left at that', false],
])(
  'clearing that is killed before the fence is taken down %s, and the merchant can come back',
  async (_, again) => {
    await move(way);
    await clear(way);
    await fenceAgain();
    if (again) expect(await clear(way)).toBe(0);
    await move({ ...way, from: way.to, to: way.from });
    expect((await write(here)).rowCount).toBe(1);
  },
);

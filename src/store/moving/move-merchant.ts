import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../domain/errors.ts';
import { newId } from '../../domain/ids.ts';
import type { Random } from '../../domain/random.ts';
import { type CellConnection, inTransaction, rowsOf } from './cell-connection.ts';
import { checkEnds, requireNoMessages } from './check-ends.ts';
import { copyRows, forgetRows } from './copy-rows.ts';
import { jobsOf, leasesOf, stillUnderWay } from './drain.ts';
import { raiseFence } from './fence.ts';
import { holdMove } from './hold-move.ts';
import { checkKeys } from './keys/check-keys.ts';
import type { MoveEnds } from './move-ends.ts';
import {
  type ArrivalRow,
  adoptMove,
  beginMove,
  findArrival,
  findMove,
  isHere,
  type MoveState,
  markMoved,
  setMoveState,
} from './move-record.ts';
import { settle } from './settle.ts';
import type { TableShape } from './table-shape.ts';
import type { Tally } from './verify-rows.ts';

/** What a move has done, in this order; after each of them it may be cut off and is gone on with. */
export type MoveStep =
  | 'begun'
  | 'copied_ahead'
  | 'drained'
  | 'closed'
  | 'fenced'
  | 'copied'
  | 'switched'
  | 'moved';

export interface MoveDeps extends MoveEnds {
  readonly random: Random;
  /** Told of each step once it is done. */
  reached(step: MoveStep, detail?: string): void | Promise<void>;
}

export interface MoveInput {
  readonly merchantId: string;
  /** Where the other cell's APIs are reached by this one: not through a proxy that goes by keys. */
  readonly recoveryUrl: string;
  readonly disputesUrl: string;
  /** How long work under way is waited for. */
  readonly drainTimeoutMs: number;
  /** How long processes of the cell are given to hear that calls are closed. */
  readonly noticeMs?: number;
}

/** Between two looks whether work under way has ended. */
const lookMs = 200;
/** Longer than any process of the cell goes on with what it has read of moves. */
const noticeDefaultMs = 1_500;
const isBegun = 'The move is begun already: take it back with --back.';

/**
 * Moves a merchant to another cell; run again, it goes on where it was. Each table of the merchant, with how
 * many rows it had; empty where the switch had been made before.
 *
 * @throws AppError with a code of moves, and what keeps a database from being used
 */
export async function moveMerchant(deps: MoveDeps, input: MoveInput): Promise<readonly Tally[]> {
  return holdMove(deps.source, input.merchantId, async () => {
    const tables = await checkEnds(deps);
    const moveId = await findOrBegin(deps, input);
    const arrival = await findArrival(deps.target, input.merchantId);
    let tallies: readonly Tally[] = [];
    if (arrival?.state === 'active') {
      // A database that was restored may know of an earlier step alone.
      await fence(deps.source, input.merchantId);
    } else {
      await requireNoMessages(deps.source, input.merchantId, isBegun);
      await checkKeys(deps, input.merchantId);
      await makeStill(deps, { ...input, tables });
      // Messages may have been turned on until nothing could be written any more.
      await requireNoMessages(deps.source, input.merchantId, isBegun);
      tallies = await copyAndSettle(deps, { ...input, tables, moveId });
      await deps.reached('switched');
    }
    const at = await nowOf(deps.source);
    await markMoved(deps.source, { merchantId: input.merchantId, moveId, at });
    await deps.reached('moved');
    return tallies;
  });
}

async function findOrBegin(deps: MoveDeps, input: MoveInput): Promise<string> {
  const { source, target } = deps;
  const { merchantId } = input;
  const move = await findMove(source, merchantId);
  if (move === undefined) return begin(deps, input);
  if (move.state === 'moved' || move.state === 'cleared') {
    throw new AppError('merchant_moved', `It has moved to ${move.to_cell || 'another cell'}.`);
  }
  const arrival = await findArrival(target, merchantId);
  if (arrival?.move_id !== move.move_id) throw new AppError('move_target_differs');
  if (arrival.state === 'abandoned') throw new AppError('move_abandoned');
  return move.move_id;
}

async function begin(
  deps: MoveDeps,
  { merchantId, recoveryUrl, disputesUrl }: MoveInput,
): Promise<string> {
  const { source, target, random, reached } = deps;
  if (!(await isHere(source, merchantId))) throw new AppError('merchant_not_here');
  const arrival = await findArrival(target, merchantId);
  if (arrival?.state === 'active' && (await isOlder(source, merchantId, arrival))) {
    // Its move from here is not known here any more: this database is from before it.
    if (arrival.from_cell !== source.cell) {
      throw new AppError('merchant_moved', 'It was in the other cell after it was here.');
    }
    const way = { merchantId, moveId: arrival.move_id, recoveryUrl, disputesUrl };
    await adoptMove({ source, target }, { ...way, at: await nowOf(source) });
    return arrival.move_id;
  }
  if (await isHere(target, merchantId)) throw new AppError('move_target_taken');
  await requireNoMessages(source, merchantId);
  await checkKeys(deps, merchantId);
  const moveId = newId(random, 'mov');
  // A fence of an earlier stay there would refuse what is to be written.
  if ((await findMove(target, merchantId)) !== undefined) {
    await raiseFence(target, { remove: merchantId });
  }
  const at = await nowOf(source);
  await beginMove({ source, target }, { merchantId, moveId, recoveryUrl, disputesUrl, at });
  await reached('begun');
  return moveId;
}

/**
 * Whether what a cell has of a merchant is older than its arrival in the other one: each stay begins with an
 * arrival but the first.
 */
async function isOlder(source: CellConnection, merchantId: string, arrival: ArrivalRow) {
  const ours = await findArrival(source, merchantId);
  if (ours?.state !== 'active' || ours.ended_at === null) return true;
  return arrival.ended_at !== null && ours.ended_at < arrival.ended_at;
}

interface Stilling extends MoveInput {
  readonly tables: readonly TableShape[];
}

/** Until nothing of the merchant is under way in the source, and nothing can be written. */
async function makeStill(deps: MoveDeps, input: Stilling): Promise<void> {
  const { source, reached } = deps;
  const { merchantId } = input;
  const set = async (state: MoveState) =>
    setMoveState(source, { merchantId, state, at: await nowOf(source) });
  for (;;) {
    const move = await findMove(source, merchantId);
    if (move?.state === 'draining') {
      await copyAll(deps, { ...input, isAhead: true });
      await reached('copied_ahead');
      await drain(source, input);
      await reached('drained');
      await set('closing');
    }
    // Calls that were let in are answered, and those that come are told to come again.
    if (move?.state !== 'fenced') await pause(input.noticeMs ?? noticeDefaultMs);
    await reached('closed');
    await fence(source, merchantId);
    await reached('fenced');
    // Leases cannot be prolonged any more: they end.
    while ((await leasesOf(source, merchantId)).length > 0) await pause(lookMs);
    if ((await jobsOf(source, merchantId)).length === 0) return;
    // Somebody has begun something since it was looked: it ends here first.
    await set('draining');
    await raiseFence(source, { remove: merchantId });
  }
}

async function fence(source: CellConnection, merchantId: string): Promise<void> {
  await setMoveState(source, { merchantId, state: 'fenced', at: await nowOf(source) });
  await raiseFence(source, { add: merchantId });
}

async function drain(source: CellConnection, { merchantId, drainTimeoutMs }: MoveInput) {
  for (let leftMs = drainTimeoutMs; ; leftMs -= lookMs) {
    const underWay = await stillUnderWay(source, merchantId);
    if (underWay.length === 0) return;
    if (leftMs <= 0) {
      throw new AppError('move_not_drained', `Still under way: ${underWay.join(', ')}.`);
    }
    await pause(lookMs);
  }
}

async function copyAll(
  deps: MoveEnds,
  { merchantId, tables, isAhead }: Stilling & { readonly isAhead: boolean },
): Promise<string> {
  const way = { ...deps, merchantId };
  let rows = 0;
  let sent = 0;
  for (const table of tables) {
    // Keys are wrapped anew at the end, and what is recounted has no rows on the way.
    if (table.form === 'rewrapped' || table.form === 'recounted') continue;
    if (isAhead && table.isErasable === true) {
      // Of a last copy before, after which something was under way again.
      await forgetRows(way, table);
      continue;
    }
    const copied = await copyRows(way, table);
    rows += copied.rows;
    sent += copied.sent;
  }
  return `${sent} of ${rows} rows sent`;
}

/** The source as it is at one moment: sums of jobs may change there still, and do not matter any more. */
async function copyAndSettle(
  deps: MoveDeps,
  input: Stilling & { readonly moveId: string },
): Promise<readonly Tally[]> {
  const { source, target, reached } = deps;
  const copied = await inTransaction(
    source,
    async () => {
      await reached('copied', await copyAll(deps, { ...input, isAhead: false }));
      return settle(deps, { ...input, at: await nowOf(target) });
    },
    'begin isolation level repeatable read read only',
  );
  return copied;
}

async function nowOf(cell: CellConnection): Promise<Date> {
  const [row] = await rowsOf<{ now: Date }>(cell, 'select clock_timestamp() as now');
  return row?.now ?? new Date(0);
}

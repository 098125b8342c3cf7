import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../src/domain/clock.ts';
import { createIdempotencyKeys, type IdempotencyKeys } from '../../src/store/idempotency-keys.ts';
import {
  type AdminWorld,
  newMerchant,
  openAdminWorld,
  rowsOf,
} from '../recovery/admin/admin-world.ts';

let world: AdminWorld;
let keys: IdempotencyKeys;
let merchantId: string;
beforeAll(async () => {
  world = await openAdminWorld();
  keys = createIdempotencyKeys({ db: world.db });
  merchantId = (await world.admin.createMerchant(newMerchant())).merchant.merchantId;
});
afterAll(() => world.close());

const start = new Date('2026-03-01T12:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);
const body = Buffer.alloc(32, 1);
const otherBody = Buffer.alloc(32, 2);

/** A key of its own, with what a handler does to it. */
function freshKey(change: { route?: string; merchantId?: string; key?: string } = {}) {
  const key = {
    merchantId,
    route: 'POST /recover/payments',
    key: randomBytes(8).toString('hex'),
    ...change,
  };
  return {
    key,
    begin: (at = start, fingerprint: Uint8Array = body) => keys.begin({ ...key, fingerprint, at }),
    complete: (at = start, answer = '{"a":1}', status = 200) =>
      keys.complete({ ...key, status, body: answer, at }),
    abandon: () => keys.abandon(key),
  };
}

describe('an idempotency key', () => {
  it('runs once, and replays the first answer byte for byte', async () => {
    const { begin, complete } = freshKey();
    expect(await begin()).toEqual({ kind: 'new' });
    expect(await begin()).toEqual({ kind: 'in_flight' });
    const answer = '{"b": 1.0,\t"é":"\\u0000"}\n';
    await complete(start, answer, 422);
    expect(await begin(later(dayMs - 1))).toEqual({ kind: 'replay', status: 422, body: answer });
  });

  it('refuses another body, while the first runs and after it', async () => {
    const { begin, complete } = freshKey();
    await begin();
    expect(await begin(start, otherBody)).toEqual({ kind: 'mismatch' });
    await complete();
    expect(await begin(start, otherBody)).toEqual({ kind: 'mismatch' });
  });

  it('belongs to one merchant and one route', async () => {
    const other = (await world.admin.createMerchant(newMerchant())).merchant.merchantId;
    const { begin, key } = freshKey();
    await begin();
    expect(await freshKey({ ...key, merchantId: other }).begin()).toEqual({ kind: 'new' });
    expect(await freshKey({ ...key, route: 'POST /other' }).begin()).toEqual({ kind: 'new' });
    expect(await freshKey(key).begin()).toEqual({ kind: 'in_flight' });
  });

  it('is given to exactly one of many who ask at once, from any process', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { begin } = freshKey();
      const asked = await Promise.all(Array.from({ length: 40 }, () => begin()));
      const kinds = asked.map(({ kind }) => kind).sort();
      expect(kinds).toEqual([...Array(39).fill('in_flight'), 'new']);
    }
  });

  it('is given to exactly one when its dead owner’s lock ends', async () => {
    const { begin } = freshKey();
    await begin();
    expect(await begin(later(minuteMs - 1))).toEqual({ kind: 'in_flight' });
    expect(await begin(later(minuteMs), otherBody)).toEqual({ kind: 'mismatch' });
    const asked = await Promise.all(Array.from({ length: 20 }, () => begin(later(minuteMs))));
    expect(asked.filter(({ kind }) => kind === 'new')).toHaveLength(1);
  });

  it('keeps the answer that was given first when a late owner completes too', async () => {
    const { begin, complete, abandon } = freshKey();
    await begin();
    await begin(later(minuteMs));
    await complete(later(minuteMs), '"second owner"');
    await complete(later(minuteMs), '"late owner"', 400);
    await abandon();
    expect(await begin(later(minuteMs))).toEqual({
      kind: 'replay',
      status: 200,
      body: '"second owner"',
    });
  });

  it('runs again once it was abandoned, with another body too', async () => {
    const { begin, abandon } = freshKey();
    await begin();
    await abandon();
    expect(await begin(start, otherBody)).toEqual({ kind: 'new' });
  });

  it('is free again after 24 hours, with another body too', async () => {
    const { begin, complete } = freshKey();
    await begin();
    await complete();
    expect(await begin(later(dayMs), otherBody)).toEqual({ kind: 'new' });
    expect(await begin(later(dayMs), otherBody)).toEqual({ kind: 'in_flight' });
  });

  it('is taken by one while others abandon and take it in a storm', async () => {
    const { begin, abandon } = freshKey();
    let running = 0;
    let max = 0;
    const worker = async () => {
      for (let turn = 0; turn < 20; turn += 1) {
        if ((await begin()).kind !== 'new') continue;
        running += 1;
        max = Math.max(max, running);
        await Promise.resolve();
        running -= 1;
        await abandon();
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(max).toBe(1);
  });

  it('is purged once it has expired, in bounded steps', async () => {
    await rowsOf(world.db, 'delete from idempotency_keys');
    const old = Array.from({ length: 5 }, () => freshKey());
    for (const { begin } of old) await begin();
    const recent = freshKey();
    await recent.begin(later(1));
    expect(await keys.purgeExpired(later(dayMs - 1), 10)).toBe(0);
    expect(await keys.purgeExpired(later(dayMs), 3)).toBe(3);
    expect(await keys.purgeExpired(later(dayMs), 3)).toBe(2);
    expect(await keys.purgeExpired(later(dayMs), 3)).toBe(0);
    expect(await recent.begin(later(2))).toEqual({ kind: 'in_flight' });
  });
});

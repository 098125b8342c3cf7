import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdempotencyKeys } from '../../src/store/idempotency-keys.ts';
import { sealingAnswers } from '../../src/store/sealed-answers.ts';
import {
  type AdminWorld,
  newMerchant,
  openAdminWorld,
  rowsOf,
} from '../recovery/admin/admin-world.ts';

let world: AdminWorld;
let merchantId: string;
beforeAll(async () => {
  world = await openAdminWorld();
  merchantId = (await world.admin.createMerchant(newMerchant())).merchant.merchantId;
});
afterAll(() => world.close());

const read = 'select key, body from idempotency_keys';
const at = new Date('2026-03-01T12:00:00Z');
const body = '{"url":"https://recoup.example.com/portal#portal_test_secret"}';

test('an answer with a secret is repeated as it was, and kept sealed', async () => {
  const keys = sealingAnswers(world, createIdempotencyKeys(world));
  const of = { merchantId, route: 'POST /recover/portal_links', key: 'visit-1', isSecret: true };
  const begin = () => keys.begin({ ...of, fingerprint: new Uint8Array(32), at });
  expect(await begin()).toEqual({ kind: 'new' });
  expect(await begin()).toEqual({ kind: 'in_flight' });
  await keys.complete({ ...of, status: 200, body, at });
  expect(await begin()).toEqual({ kind: 'replay', status: 200, body });
  const kept = JSON.stringify(await rowsOf(world.db, read));
  expect(kept).not.toContain('portal_test_secret');
  expect(kept).not.toContain(Buffer.from('portal_test_secret').toString('base64').slice(4, 16));
});

test('one without is kept as it is', async () => {
  const keys = sealingAnswers(world, createIdempotencyKeys(world));
  const of = { merchantId, route: 'POST /recover/payments', key: 'report-1' };
  const begin = () => keys.begin({ ...of, fingerprint: new Uint8Array(32), at });
  await begin();
  await keys.complete({ ...of, status: 200, body: '{"a":1}', at });
  expect(await begin()).toEqual({ kind: 'replay', status: 200, body: '{"a":1}' });
  expect(JSON.stringify(await rowsOf(world.db, read))).toContain('{\\"a\\":1}');
});

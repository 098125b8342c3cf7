import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AnalyticsWorld,
  analyticsRecord,
  openAnalyticsWorld,
} from '../../../kits/analytics-world.ts';

let world: AnalyticsWorld;
beforeAll(async () => {
  world = await openAnalyticsWorld();
});
afterAll(() => world.close());

async function erase(customerId: string) {
  const path = `/v1/customers/${encodeURIComponent(customerId)}`;
  const { status, text } = await world.call('DELETE', path);
  return { status, body: JSON.parse(text) as Record<string, unknown> };
}

async function state(id: string): Promise<unknown> {
  return JSON.parse((await world.call('GET', `/v1/analytics/${id}`)).text);
}

function open(analyticsId: string) {
  const { merchantId } = world.first;
  const reader = { actor: 'test', reason: 'a test' };
  return world.store.readPersonalData({ merchantId, analyticsId, reader, at: world.clock.now() });
}

describe('an erased customer', () => {
  it('can be read no more, and the proof is what the audit log says', async () => {
    const customer = {
      ...analyticsRecord,
      customer_email: 'gone@example.com',
      customer_id: 'cus gone/1',
    };
    const ids = [
      await world.submit(customer),
      await world.submit({ ...customer, charge_id: 'ch_2' }),
      // The same person before they had an account.
      await world.submit({
        ...analyticsRecord,
        customer_email: 'Gone@example.com',
        charge_id: 'ch_3',
      }),
    ];
    const other = await world.submit({ ...analyticsRecord, customer_id: 'cus_other' });
    expect(await open(ids[0] ?? '')).toMatchObject({ customerEmail: 'gone@example.com' });

    const { status, body } = await erase('cus gone/1');
    expect([status, body]).toEqual([
      200,
      {
        customer_id: 'cus gone/1',
        erased_at: world.clock.now().toISOString(),
        records: 3,
        proof: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    for (const id of ids) {
      expect(await state(id)).toMatchObject({
        state: 'erased',
        fields: ['psp'],
        identifiers: [],
        ip_is_public: false,
      });
      expect(await open(id)).toBeUndefined();
    }
    expect(await state(other)).toMatchObject({ state: 'active' });
    expect(await open(other)).toMatchObject({ ipv4Address: '8.8.4.4' });

    const [line] = await world.rows(
      `select actor, detail from audit_log where action = 'customer.erased'
       and detail->>'proof' = $1`,
      [body.proof],
    );
    const detail = line?.detail as Record<string, unknown>;
    const { erased_at, subject_ids, records, records_sha256, keys_sha256 } = detail;
    const sha256 = (content: object) =>
      createHash('sha256').update(JSON.stringify(content)).digest('hex');
    expect(records_sha256).toBe(sha256(ids.toSorted()));
    expect(sha256({ erased_at, subject_ids, records, records_sha256, keys_sha256 })).toBe(
      body.proof,
    );
    expect(line?.actor).toBe('merchant');
  });

  it('erased again gives the same proof', async () => {
    await world.submit({
      ...analyticsRecord,
      customer_id: 'cus_twice',
      customer_email: 'twice@example.com',
    });
    const first = await erase('cus_twice');
    world.clock.passMs(5_000);
    expect(await erase('cus_twice')).toEqual(first);
  });

  it('does not come back with an analytics record that is sent again, but with a new one', async () => {
    const body = {
      ...analyticsRecord,
      customer_id: 'cus_back',
      customer_email: 'back@example.com',
    };
    const id = await world.submit(body);
    const first = await erase('cus_back');
    expect(await world.submit(body)).toBe(id);
    expect(await state(id)).toMatchObject({ state: 'erased' });

    const fresh = await world.submit({ ...body, charge_id: 'ch_new' });
    expect(await open(fresh)).toMatchObject({ customerEmail: 'back@example.com' });
    world.clock.passMs(1_000);
    const second = await erase('cus_back');
    expect(second.body).toMatchObject({ records: 1 });
    expect(second.body.proof).not.toBe(first.body.proof);
    expect(await erase('cus_back')).toEqual(second);
  });

  it('is refused while a dispute holds an analytics record, and nothing is erased', async () => {
    const id = await world.submit({
      ...analyticsRecord,
      customer_id: 'cus_held',
      charge_id: 'ch_held',
    });
    await world.rows(`update analytics set legal_hold = true where analytics_id = $1`, [id]);
    expect(await erase('cus_held')).toEqual({
      status: 409,
      body: { detail: 'Disputes hold evidence about this customer; nothing was erased.' },
    });
    expect(await state(id)).toMatchObject({ state: 'active', legal_hold: true });
    await world.rows(`update analytics set legal_hold = false where analytics_id = $1`, [id]);
    expect(await erase('cus_held')).toMatchObject({ status: 200, body: { records: 1 } });
  });

  it('is refused so whole: where messages go to stays too', async () => {
    const customerId = 'cus_written';
    const id = await world.submit({ ...analyticsRecord, customer_id: customerId });
    const { merchantId } = world.first;
    await world.rows(
      `insert into customer_addresses
       values ($1, $2, decode(repeat('00', 20), 'hex'), 1, repeat('a', 64), null, null, $3)`,
      [merchantId, customerId, world.clock.now()],
    );
    const addresses = () =>
      world.rows('select 1 from customer_addresses where customer_id = $1', [customerId]);
    await world.rows('update analytics set legal_hold = true where analytics_id = $1', [id]);
    expect((await erase(customerId)).status).toBe(409);
    expect((await addresses()).length).toBe(1);
    await world.rows('update analytics set legal_hold = false where analytics_id = $1', [id]);
    expect((await erase(customerId)).status).toBe(200);
    expect(await addresses()).toEqual([]);
  });

  it.each(['cus_unknown', 'x'.repeat(256)])('that is none is 404: %j', async (customerId) => {
    expect(await erase(customerId)).toEqual({ status: 404, body: { detail: 'Not Found' } });
  });

  it('leaves nothing of what is captured beside the erasure readable', async () => {
    const customer = (index: number) => ({
      ...analyticsRecord,
      customer_id: 'cus_race',
      customer_email: 'race@example.com',
      charge_id: `ch_race_${index}`,
    });
    await world.submit(customer(0));
    const analyticsRecords = Array.from({ length: 40 }, (_, index) =>
      world.submit(customer(index + 1)),
    );
    const [erasures, ids] = await Promise.all([
      Promise.all([erase('cus_race'), erase('cus_race')]),
      Promise.all(analyticsRecords),
    ]);
    expect(erasures.map(({ status }) => status)).toEqual([200, 200]);
    // Whatever came after it belongs to a new person with a key of their own, and still opens.
    const views = (await Promise.all(ids.map(state))) as { state: string }[];
    for (const [index, { state: reached }] of views.entries()) {
      const data = await open(ids[index] ?? '');
      expect(data?.customerEmail).toBe(reached === 'erased' ? undefined : 'race@example.com');
    }
    await erase('cus_race');
    const keys = await world.rows(
      `select s.sealed_key from analytics a join analytics_subjects s using (merchant_id, subject_id)
       where a.analytics_id = any ($1) and (s.sealed_key is not null or a.sealed is not null)`,
      [ids],
    );
    expect(keys).toEqual([]);
  });
});

it('every reading of clear text has its line in the audit log', async () => {
  const analyticsId = await world.submit({ ...analyticsRecord, charge_id: 'ch_audited' });
  const reader = { actor: 'evidence', reason: 'dispute dp_1' };
  const { merchantId } = world.first;
  const data = await world.store.readPersonalData({
    merchantId,
    analyticsId,
    reader,
    at: world.clock.now(),
  });
  expect(data).toEqual({ customerEmail: 'jane@example.com', ipv4Address: '8.8.4.4' });
  expect(
    await world.rows(
      `select actor, action, detail from audit_log where detail->>'analytics_id' = $1`,
      [analyticsId],
    ),
  ).toEqual([
    {
      actor: 'evidence',
      action: 'analytics.read',
      detail: { analytics_id: analyticsId, reason: 'dispute dp_1' },
    },
  ]);
});

import { describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { PaymentEventBody } from '../../../src/domain/payment-event.ts';
import { ingestPspWebhook } from '../../../src/recovery/intake/ingest-psp-webhook.ts';
import type { ChargeRequest, LookUpRequest } from '../../../src/recovery/psp-ports.ts';
import { placeOf } from '../../../src/store/psp-events/note-event.ts';
import { failedEvent, paidEvent, worldStart } from '../../kits/billing-events.ts';
import { disputeOf } from '../../kits/dispute-cases.ts';
import { type EngineWorld, useEngineWorld } from '../../kits/engine.ts';
import { expectSound } from '../../kits/engine-faults.ts';
import { changedGateways } from '../../kits/gateways.ts';
import {
  billingAttempt,
  giveDataKey,
  signed,
  type WebhookWorld,
  type WrittenEvent,
  webhookOf,
  webhookWorld,
} from '../../kits/psp-webhooks.ts';

const engineWorld = useEngineWorld();

function send(
  world: EngineWorld,
  { deps }: Pick<WebhookWorld, 'deps'>,
  { body, headers }: ReturnType<typeof webhookOf>,
) {
  return ingestPspWebhook(deps, {
    merchantId: world.merchantId,
    psp: 'sandbox',
    webhook: { rawBody: body, headers, receivedAt: world.clock.now() },
  });
}

const noted = (world: EngineWorld) =>
  world.rows(
    `select event_id, kind, outcome, invoice_id from psp_event_notes
     union all select event_id, kind, outcome, invoice_id from psp_events order by 1`,
  );

it('a refund that is not ours is noted by the charge that it is of', async () => {
  const world = await engineWorld();
  const pspTransactionId = 'psp_9';
  const refund = { refundId: 're_1', outcome: 'refunded', pspTransactionId } as const;
  const parsed = { kind: 'refund_settled', ...refund } as const;
  await send(world, webhookWorld(world), webhookOf([{ id: 'evt_1', parsed }]));
  expect(await world.rows('select outcome, psp_transaction_id from psp_event_notes')).toEqual([
    { outcome: 'nothing_to_do', psp_transaction_id: pspTransactionId },
  ]);
});

describe('a billing attempt', () => {
  it('that failed begins the recovery of its invoice', async () => {
    const world = await engineWorld();
    const hooks = webhookWorld(world);
    const webhook = webhookOf([billingAttempt('evt_1', failedEvent())]);
    expect(await send(world, hooks, webhook)).toEqual({ kind: 'read' });
    await world.settle();
    expect(await world.payment()).toMatchObject({ status: 'scheduled' });
    await world.runUntil(addMs(worldStart, 2 * dayMs));
    expect(await world.payment()).toMatchObject({ status: 'recovered' });
    expect(await noted(world)).toEqual([
      { event_id: 'evt_1', kind: 'billing_attempt', outcome: 'accepted', invoice_id: 'in_1' },
    ]);
    expect(hooks.counted).toEqual(['sandbox accepted']);
    await expectSound(world);
  });

  it('that comes twenty times at once, and again later, counts once', async () => {
    const world = await engineWorld();
    const hooks = webhookWorld(world);
    const webhook = webhookOf([billingAttempt('evt_1', failedEvent())]);
    await Promise.all(Array.from({ length: 20 }, () => send(world, hooks, webhook)));
    await world.settle();
    const planned = await world.payment();
    await send(world, hooks, webhook);
    await world.settle();
    expect(await world.payment()).toEqual(planned);
    expect(planned.foreignAttempts).toBeUndefined();
    expect(await world.rows('select 1 from requests')).toHaveLength(1);
    expect(await world.rows('select 1 from transactions')).toHaveLength(1);
    expect(await noted(world)).toHaveLength(1);
    expect(hooks.counted).toEqual(['sandbox accepted']);
  });

  it('is worked through again where the note of it was lost, and adds nothing', async () => {
    const world = await engineWorld();
    const hooks = webhookWorld(world);
    const { events } = hooks.deps;
    const note = () => Promise.reject(new Error('the process was killed'));
    const dying = { deps: { ...hooks.deps, events: { ...events, note } } };
    const webhook = webhookOf([billingAttempt('evt_1', failedEvent())]);
    await expect(send(world, dying, webhook)).rejects.toThrow('killed');
    await world.settle();
    await send(world, hooks, webhook);
    await world.settle();
    expect(await world.rows('select 1 from requests')).toHaveLength(1);
    expect(await noted(world)).toHaveLength(1);
    await expectSound(world);
  });

  it('of the PSP’s own invoice has it charged as that invoice, and looked up as that', async () => {
    const world = await engineWorld();
    const asked: (ChargeRequest | LookUpRequest)[] = [];
    const worker = world.worker((deps) =>
      changedGateways(deps, () => ({
        async charge(request) {
          asked.push(request);
          return { kind: 'unknown', reason: 'the answer was lost' };
        },
        async lookUp(request) {
          asked.push(request);
          return { kind: 'unknown', reason: 'the PSP cannot tell' };
        },
      })),
    );
    const webhook = webhookOf([billingAttempt('evt_1', failedEvent(), 'psp_in_7')]);
    await send(world, webhookWorld(world), webhook);
    await world.runUntil(addMs(worldStart, 2 * dayMs), worker);
    expect(asked.length).toBeGreaterThan(1);
    for (const request of asked) expect(request.pspInvoiceId).toBe('psp_in_7');
  });

  it('gives a payment that the merchant reported first its invoice at the PSP', async () => {
    const world = await engineWorld();
    await world.submit(failedEvent());
    await world.settle();
    const webhook = webhookOf([billingAttempt('evt_1', failedEvent(), 'psp_in_7')]);
    await send(world, webhookWorld(world), webhook);
    await world.settle();
    expect(await world.rows('select psp_invoice_id from payments')).toEqual([
      { psp_invoice_id: 'psp_in_7' },
    ]);
    expect((await world.payment()).foreignAttempts).toBeUndefined();
  });

  it('that the API would refuse is noted and told by its fields, and nothing is ingested', async () => {
    const world = await engineWorld();
    const hooks = webhookWorld(world);
    const event = failedEvent();
    const faulty = {
      ...event,
      transactions: event.transactions.map((transaction) => ({
        ...transaction,
        issuer_country: 'canary of a country',
        amount: 0,
      })),
    } as PaymentEventBody;
    const answer = await send(world, hooks, webhookOf([billingAttempt('evt_1', faulty)]));
    expect(answer).toEqual({ kind: 'read' });
    expect(await noted(world)).toMatchObject([{ outcome: 'unusable' }]);
    expect(await world.rows('select 1 from requests')).toEqual([]);
    expect(await world.rows('select 1 from payments')).toEqual([]);
    const [line] = world.log;
    expect(line).toContain('transactions.0.amount');
    expect(line).toContain('transactions.0.issuer_country');
    expect(line).not.toContain('canary');
  });
});

describe('out of order', () => {
  const later = addMs(worldStart, 1_000);

  it('a failure that is told after its invoice’s payment never begins a recovery', async () => {
    const world = await engineWorld();
    const hooks = webhookWorld(world);
    const paid = paidEvent({ at: later });
    await send(world, hooks, webhookOf([billingAttempt('evt_paid', paid)]));
    await world.settle();
    await send(world, hooks, webhookOf([billingAttempt('evt_failed', failedEvent())]));
    await world.settle();
    expect(await world.payment()).toMatchObject({
      status: 'stopped',
      stopReason: 'recovered_elsewhere',
      attempts: [],
    });
    await world.runUntil(addMs(worldStart, 40 * dayMs));
    expect(await world.ledger()).toEqual([]);
    expect(await world.rows('select 1 from payments where decision is not null')).toEqual([]);
  });

  it('both in one webhook leave the invoice paid', async () => {
    const world = await engineWorld();
    const events = [
      billingAttempt('evt_paid', paidEvent({ at: later })),
      billingAttempt('evt_failed', failedEvent()),
    ];
    await send(world, webhookWorld(world), webhookOf(events));
    await world.settle();
    expect(await world.payment()).toMatchObject({ stopReason: 'recovered_elsewhere' });
  });

  it('a failure that is told after the recovery has ended changes nothing', async () => {
    const world = await engineWorld();
    const hooks = webhookWorld(world);
    await send(world, hooks, webhookOf([billingAttempt('evt_1', failedEvent())]));
    await world.runUntil(addMs(worldStart, 2 * dayMs));
    const ended = await world.payment();
    expect(ended.status).toBe('recovered');
    const again = failedEvent({ methods: ['pm_2'], at: addMs(worldStart, 1) });
    await send(world, hooks, webhookOf([billingAttempt('evt_2', again)]));
    await world.runUntil(addMs(worldStart, 40 * dayMs));
    expect(await world.payment()).toEqual(ended);
    await expectSound(world);
  });
});

describe('changed payment methods', () => {
  const updates = (id: string, ...names: readonly string[]): WrittenEvent => ({
    id,
    parsed: {
      kind: 'payment_method_updates',
      updates: names.map((name) => ({ customer_id: 'cus_1', payment_method_id: name })),
    },
  });

  it('each go the way of a merchant’s report, once', async () => {
    const world = await engineWorld();
    const hooks = webhookWorld(world);
    await world.submit(failedEvent({ methods: ['pm_sandbox_decline_51'] }));
    await world.settle();
    world.clock.passMs(1_000);
    const webhook = webhookOf([updates('evt_1', 'pm_sandbox_decline_05', 'pm_sandbox_success')]);
    await send(world, hooks, webhook);
    await send(world, hooks, webhook);
    await world.settle();
    expect(await world.payment()).toMatchObject({ status: 'recovered' });
    const requests = `select 1 from requests where kind = 'payment_method_update'`;
    expect(await world.rows(requests)).toHaveLength(2);
    await expectSound(world);
  });

  it('of a customer that nobody knows are kept for later', async () => {
    const world = await engineWorld();
    await send(world, webhookWorld(world), webhookOf([updates('evt_1', 'pm_a')]));
    await world.settle();
    expect(await world.rows('select payment_method_id, customer_id from payment_methods')).toEqual([
      { payment_method_id: 'pm_a', customer_id: 'cus_1' },
    ]);
    await expectSound(world);
  });

  it('that name nobody are not ingested', async () => {
    const world = await engineWorld();
    const nobody: WrittenEvent = {
      id: 'evt_1',
      parsed: { kind: 'payment_method_updates', updates: [{ payment_method_id: 'pm_a' }] },
    };
    await send(world, webhookWorld(world), webhookOf([nobody]));
    expect(await noted(world)).toMatchObject([{ outcome: 'unusable' }]);
    expect(await world.rows('select 1 from requests')).toEqual([]);
  });
});

describe('a dispute', () => {
  it.each(['utf8', 'latin1', 'utf16le'] as const)(
    'is kept whole and sealed, byte for byte (%s)',
    async (encoding) => {
      const world = await engineWorld();
      const hooks = webhookWorld(world);
      await giveDataKey(world, hooks.sealer);
      const dispute: WrittenEvent = {
        id: 'evt_é',
        parsed: { kind: 'dispute', dispute: disputeOf({ paymentIds: ['ch_1'] }) },
      };
      const webhook = webhookOf([dispute], { encoding });
      await send(world, hooks, webhook);
      const [row] = await world.rows<{ sealed_body: Buffer; outcome: string; key: Buffer }>(
        `select sealed_body, outcome, wrapped_key as key from psp_events
         join data_keys using (merchant_id)`,
      );
      if (row === undefined) throw new Error('the dispute was not kept');
      expect(row.outcome).toBe('dispute_kept');
      expect(row.sealed_body.includes('ch_1')).toBe(false);
      const place = placeOf({ merchantId: world.merchantId, psp: 'sandbox', eventId: 'evt_é' });
      const dataKey = { version: 1, wrappedKey: row.key };
      const opened = await hooks.sealer.openBytes(place, dataKey, row.sealed_body);
      expect(Buffer.from(opened).equals(webhook.body)).toBe(true);
    },
  );
});

describe('an event of no use', () => {
  it('is noted, without its body', async () => {
    const world = await engineWorld();
    const hooks = webhookWorld(world);
    const webhook = webhookOf([{ id: 'evt_1', parsed: { kind: 'not_used' } }], { answer: 'ok' });
    expect(await send(world, hooks, webhook)).toEqual({ kind: 'read', answer: 'ok' });
    expect(await noted(world)).toMatchObject([{ outcome: 'nothing_to_do' }]);
    expect(await world.rows('select sealed_body from psp_events')).toEqual([]);
  });
});

describe('a webhook that is not read', () => {
  it.each([
    ['unverified', { ...webhookOf([]), headers: {} }],
    ['malformed', signed(Buffer.from('{'))],
    ['unavailable', signed(Buffer.from('{"unavailable":true}'))],
  ])('%s, does nothing', async (kind, webhook) => {
    const world = await engineWorld();
    expect(await send(world, webhookWorld(world), webhook)).toMatchObject({ kind });
    expect(await noted(world)).toEqual([]);
  });

  it('is of nobody where the merchant has no connection', async () => {
    const world = await engineWorld();
    const { deps } = webhookWorld(world);
    const outcome = await ingestPspWebhook(deps, {
      merchantId: world.merchantId,
      psp: 'stripe',
      webhook: { rawBody: Buffer.alloc(0), headers: {}, receivedAt: worldStart },
    });
    expect(outcome).toEqual({ kind: 'not_connected' });
  });
});

describe('what cannot be kept', () => {
  const odd = ['', 'x'.repeat(256), 'a\0b', '\ud800'];

  it.each(odd)('as an event’s id makes a webhook malformed: %j', async (id) => {
    const world = await engineWorld();
    const webhook = webhookOf([{ id, parsed: { kind: 'not_used' } }]);
    const outcome = await send(world, webhookWorld(world), webhook);
    expect(outcome).toMatchObject({ kind: 'malformed' });
    expect(await noted(world)).toEqual([]);
  });

  it.each(odd)('as another id is noted as what it is, and does nothing: %j', async (id) => {
    const world = await engineWorld();
    const hooks = webhookWorld(world);
    const result = { kind: 'succeeded', pspTransactionId: id } as const;
    const events: WrittenEvent[] = [
      billingAttempt('evt_1', failedEvent({ invoiceId: id })),
      { id: 'evt_2', parsed: { kind: 'invoice_closed', invoiceId: id, reason: 'voided' } },
      { id: 'evt_3', parsed: { kind: 'charge_settled', idempotencyKey: id, result } },
    ];
    expect(await send(world, hooks, webhookOf(events))).toEqual({ kind: 'read' });
    expect(await noted(world)).toMatchObject([
      { outcome: 'unusable', invoice_id: null },
      { outcome: 'unusable', invoice_id: null },
      { outcome: 'charge_unknown', invoice_id: null },
    ]);
  });
});

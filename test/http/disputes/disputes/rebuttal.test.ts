import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, dayMs } from '../../../../src/domain/clock.ts';
import { canonicalJson } from '../../../../src/domain/json/canonical-json.ts';
import { removeAdded } from '../../../../src/store/disputes/evidence/added-retention.ts';
import type { AnalyticsWorld } from '../../../kits/analytics-world.ts';
import { pdfText } from '../../../kits/pdf-text.ts';
import {
  openStripeDisputes,
  type StripeDisputes,
} from '../../../kits/psps/stripe/open-stripe-disputes.ts';
import type { StripeServer } from '../../../kits/psps/stripe-server.ts';
import type { TestDispute } from '../../../kits/psps/test-disputes.ts';
import { reportDispute } from '../../../kits/report-dispute.ts';

let world: AnalyticsWorld;
let stripe: StripeServer;
let open: StripeDisputes;
beforeAll(async () => {
  open = await openStripeDisputes();
  ({ world, stripe } = open);
});
afterAll(() => open.close());

const letter = 'Dear bank,\nour customer Zoë Quill used the service on 3 June. 😀';
let disputes = 0;
let id: string;
let atStripe: TestDispute;
beforeEach(async () => {
  disputes += 1;
  atStripe = stripe.world.disputes.open(`du_${disputes}`);
  id = await report();
});

function report(changes: object = {}): Promise<string> {
  const named = { psp: 'stripe', psp_dispute_id: `du_${disputes}`, charge_id: `ch_${disputes}` };
  return reportDispute(world, { ...named, network: 'visa', reason_code: '10.4', ...changes });
}

const state = (body: object) => world.call('POST', `/v1/disputes/${id}/evidence`, body);
async function evidence() {
  const { status, text } = await world.call('GET', `/v1/disputes/${id}/evidence`);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text);
}

describe('a rebuttal that a merchant writes', () => {
  it('is in the packet, its hash and its PDF', async () => {
    const before = await evidence();
    expect((await state({ rebuttal: letter })).status).toBe(200);
    const { content, content_hash: hash } = await evidence();
    expect(content.rebuttal).toBe(letter);
    expect(hash).not.toBe(before.content_hash);
    expect(createHash('sha256').update(canonicalJson(content)).digest('hex')).toBe(hash);
    const pdf = await fetch(`${world.url}/v1/disputes/${id}/evidence`, {
      headers: { authorization: world.first.authorization, accept: 'application/pdf' },
    });
    const text = pdfText(new Uint8Array(await pdf.arrayBuffer()));
    expect(text).toContain('Dear bank,');
    expect(text).toContain('our customer Zoë Quill used the service on 3 June.');
  });

  it('arrives at Stripe whole, before the summary', async () => {
    await state({ rebuttal: letter });
    const { status } = await world.call('POST', `/v1/disputes/${id}/submit`);
    expect(status).toBe(200);
    const [sent] = atStripe.staged as Readonly<Record<string, string>>[];
    expect(sent?.uncategorized_text?.startsWith(`${letter}\n\n`)).toBe(true);
  });

  it('stays where details are stated without one, and goes by an empty text', async () => {
    await state({ rebuttal: letter, product_description: 'Acme Pro' });
    await state({ product_description: 'Acme Pro, one month' });
    expect((await evidence()).content.rebuttal).toBe(letter);
    await state({ rebuttal: ' \n' });
    expect((await evidence()).content).not.toHaveProperty('rebuttal');
  });

  it('cannot be changed once it was sent on, and what comes with it is not kept either', async () => {
    await state({ rebuttal: letter, product_description: 'Acme Pro' });
    await world.call('POST', `/v1/disputes/${id}/submit`);
    const refused = await state({ rebuttal: 'Another', product_description: 'Other' });
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('was sent to the processor');
    const { content } = await evidence();
    expect(content.rebuttal).toBe(letter);
    expect(content.charge.productDescription).toBe('Acme Pro');
  });

  it('is refused where it is too long or holds control characters, by its field', async () => {
    for (const rebuttal of ['x'.repeat(20_001), 'x\n'.repeat(401), 'a\u0001b']) {
      const { status, text } = await state({ rebuttal });
      expect(status).toBe(422);
      expect(JSON.parse(text).detail[0].loc).toEqual(['body', 'rebuttal']);
    }
    expect((await state({ rebuttal: 'x'.repeat(20_000) })).status).toBe(200);
    expect((await state({ rebuttal: `${'x\n'.repeat(399)}x` })).status).toBe(200);
  });

  it('is another merchant’s neither to read nor to write', async () => {
    await state({ rebuttal: letter });
    const headers = { authorization: world.second.authorization };
    const path = `/v1/disputes/${id}/evidence`;
    expect((await world.call('POST', path, { rebuttal: 'theirs' }, headers)).status).toBe(404);
    expect((await evidence()).content.rebuttal).toBe(letter);
  });
});

describe('where a rebuttal lies', () => {
  it('is sealed, and its words are in no log and no line of the audit log', async () => {
    await state({ rebuttal: letter });
    await evidence();
    const [row] = await world.rows('select sealed from dispute_rebuttals where dispute_id = $1', [
      id,
    ]);
    expect(Buffer.from(row?.sealed as Uint8Array).toString('latin1')).not.toContain('Quill');
    const lines = await world.rows(
      `select action, actor, detail from audit_log
       where detail->>'dispute_id' = $1 and action like 'dispute.rebuttal%' order by line`,
      [id],
    );
    expect(lines).toEqual([
      {
        action: 'dispute.rebuttal_written',
        actor: 'merchant',
        detail: { dispute_id: id, characters: 63 },
      },
      {
        action: 'dispute.rebuttal_read',
        actor: 'merchant',
        detail: { dispute_id: id, reason: `evidence of ${id}` },
      },
    ]);
    const all = JSON.stringify(await world.rows('select detail from audit_log'));
    expect(all + world.lines.join('\n')).not.toContain('Quill');
  });

  it('opens for no other dispute', async () => {
    await state({ rebuttal: letter });
    const other = id;
    disputes += 1;
    id = await report();
    await state({ rebuttal: 'x' });
    await world.rows(
      `update dispute_rebuttals r set sealed = o.sealed from dispute_rebuttals o
       where r.dispute_id = $1 and o.dispute_id = $2`,
      [id, other],
    );
    expect((await world.call('GET', `/v1/disputes/${id}/evidence`)).status).toBe(500);
  });
});

describe('the end of a rebuttal', () => {
  const end = () =>
    report({ status: 'won', occurred_at: addMs(world.clock.now(), 1_000).toISOString() });
  const kept = async () =>
    (await world.rows('select from dispute_rebuttals where dispute_id = $1', [id])).length;

  it('is the erasure of its customer, once the dispute has ended', async () => {
    const customer = `cus_${disputes}`;
    const analyticsRecord = { customer_email: 'zoe@example.com', ipv4_address: '8.8.4.4' };
    const ids = { psp: 'stripe', customer_id: customer, charge_id: `ch_${disputes}` };
    await world.submit({ ...analyticsRecord, ...ids });
    await report({ occurred_at: addMs(world.clock.now(), 1).toISOString() });
    await state({ rebuttal: letter });
    const path = `/v1/customers/${customer}`;
    expect((await world.call('DELETE', path)).status).toBe(409);
    expect(await kept()).toBe(1);
    await end();
    expect((await world.call('DELETE', path)).status).toBe(200);
    expect(await kept()).toBe(0);
  });

  it('is the time for which evidence is kept, and an open one stays', async () => {
    await state({ rebuttal: letter });
    const later = addMs(world.clock.now(), 900 * dayMs);
    await removeAdded(world.db, later, 100);
    expect(await kept()).toBe(1);
    await end();
    await removeAdded(world.db, addMs(world.clock.now(), -dayMs), 100);
    expect(await kept()).toBe(1);
    await removeAdded(world.db, later, 100);
    expect(await kept()).toBe(0);
  });
});

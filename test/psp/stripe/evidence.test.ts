import { describe, expect, it } from 'vitest';
import { buildPacket } from '../../../src/disputes/evidence/build-packet.ts';
import { createStripeEvidence } from '../../../src/psp/stripe/evidence.ts';
import { priorPair } from '../../kits/dispute-cases.ts';
import { packetFacts } from '../../kits/packet-cases.ts';
import { describeEvidence } from '../evidence-conformance.ts';
import { scriptedStripe, stripeLost, stripeRefuses, stripeSays } from './scripted-stripe.ts';
import { gatewayTo, stripe } from './stripe-kit.ts';

describeEvidence(
  'Stripe',
  async () => {
    const server = await stripe();
    return { account: gatewayTo(server), disputes: server.world.disputes, hasRecord: true };
  },
  'offered',
  { files: 'stripe' },
);

it('a file that was taken away leaves its field, and what others put there stays', async () => {
  const server = await stripe();
  const { evidence } = gatewayTo(server);
  if (evidence.kind !== 'api' || typeof evidence.stage !== 'function') throw new Error('no API');
  const dispute = server.world.disputes.open('du_taken');
  dispute.staged.push({ receipt: 'file_ours', refund_policy: 'file_of_others' });
  const packet = buildPacket(packetFacts());
  const pdf = async () => new Uint8Array();
  const request = { pspDisputeId: 'du_taken', attempt: 'chargeback-1', packet, pdf };
  expect(await evidence.stage({ ...request, removedFiles: ['file_ours'] })).toEqual({
    kind: 'done',
  });
  expect(dispute.staged[0]).toMatchObject({ receipt: '' });
  expect(dispute.staged[0]).not.toHaveProperty('refund_policy');
});

it('what answered an inquiry is no answer to the chargeback that came of it', async () => {
  const server = await stripe();
  const { evidence } = gatewayTo(server);
  if (evidence.kind !== 'api') throw new Error('no API');
  const dispute = server.world.disputes.open('du_escalated');
  dispute.submissions = 1;
  expect(await evidence.readSubmitted('du_escalated')).toEqual({ kind: 'submitted' });
  dispute.asks = 2;
  expect(await evidence.readSubmitted('du_escalated')).toEqual({ kind: 'not_submitted' });
});

it('a decision that may be appealed is not answered by what was sent before, nor by a packet', async () => {
  const { client, calls } = scriptedStripe({
    'disputes.retrieve': () =>
      stripeSays({ status: 'appeal_needs_response', evidence_details: { submission_count: 1 } }),
  });
  const evidence = createStripeEvidence({ client, deadlineMs: 1_000 });
  if (evidence.kind !== 'api' || typeof evidence.stage !== 'function') throw new Error('no API');
  expect(await evidence.readSubmitted('du_1')).toEqual({ kind: 'not_submitted' });
  const { dispute } = packetFacts();
  const state = { kind: 'dispute', stage: 'arbitration', status: 'needs_response' } as const;
  const packet = buildPacket(packetFacts({ dispute: { ...dispute, state } }));
  const pdf = async () => new Uint8Array();
  const request = { pspDisputeId: 'du_1', attempt: 'arbitration-1', packet, pdf };
  const refused = { kind: 'failed', reason: expect.stringContaining('Dashboard') };
  expect(await evidence.stage(request)).toEqual(refused);
  expect(await evidence.submit(request)).toEqual(refused);
  expect(calls).toHaveLength(1);
});

describe('priors that were reported by their intents', () => {
  async function stageWith(read: (id: unknown) => ReturnType<typeof stripeSays>) {
    const { client, calls } = scriptedStripe({
      'paymentIntents.retrieve': read,
      'disputes.update': () => stripeSays({}),
    });
    const evidence = createStripeEvidence({ client, deadlineMs: 1_000 });
    if (evidence.kind !== 'api' || typeof evidence.stage !== 'function') throw new Error('no API');
    const [newer, older] = priorPair();
    if (newer === undefined || older === undefined) throw new Error('a pair has two');
    const packet = buildPacket(packetFacts({ candidates: [{ ...newer, id: 'pi_1' }, older] }));
    const pdf = async () => new Uint8Array();
    const request = { pspDisputeId: 'du_1', attempt: 'chargeback-1', packet, pdf };
    const result = await evidence.stage(request);
    const sent = calls.flatMap(([name, , body]) => (name === 'disputes.update' ? [body] : []));
    return { result, sent, older: older.id };
  }

  it("are named by their charges' ids, as Stripe wants it", async () => {
    const { result, sent, older } = await stageWith(() =>
      stripeSays({ id: 'pi_1', latest_charge: 'ch_of_intent' }),
    );
    expect(result).toEqual({ kind: 'done' });
    expect(sent).toMatchObject([
      {
        evidence: {
          enhanced_evidence: {
            visa_compelling_evidence_3: {
              prior_undisputed_transactions: [{ charge: 'ch_of_intent' }, { charge: older }],
            },
          },
        },
      },
    ]);
  });

  it.each([
    ['Stripe does not know one', () => stripeRefuses(404)],
    ['one has no charge', () => stripeSays({ id: 'pi_1', latest_charge: null })],
    ['both are one', () => stripeSays({ id: 'pi_1', latest_charge: priorPair()[1]?.id })],
  ])('are left out where %s: the rest is answered with', async (_name, read) => {
    const { result, sent } = await stageWith(read);
    expect(result).toEqual({ kind: 'done' });
    expect(sent).toMatchObject([{ evidence: { customer_purchase_ip: expect.any(String) } }]);
    expect(JSON.stringify(sent)).not.toContain('enhanced_evidence');
  });

  it('are not guessed where Stripe does not answer: nothing is staged', async () => {
    const { result, sent } = await stageWith(() => stripeLost);
    expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('pi_1') });
    expect(sent).toEqual([]);
  });
});

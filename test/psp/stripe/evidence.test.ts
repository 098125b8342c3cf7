import { expect, it } from 'vitest';
import { buildPacket } from '../../../src/disputes/evidence/build-packet.ts';
import { packetFacts } from '../../kits/packet-cases.ts';
import { describeEvidence } from '../evidence-conformance.ts';
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

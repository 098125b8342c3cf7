import { describeEvidence } from '../evidence-conformance.ts';
import { gatewayTo, stripe } from './stripe-kit.ts';

describeEvidence('Stripe', async () => {
  const server = await stripe();
  return { account: gatewayTo(server), disputes: server.world.disputes, hasRecord: true };
});

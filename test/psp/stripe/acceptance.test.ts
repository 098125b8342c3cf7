import { describeAcceptance } from '../acceptance-conformance.ts';
import { gatewayTo, stripe } from './stripe-kit.ts';

describeAcceptance('Stripe', async () => {
  const server = await stripe();
  return { account: gatewayTo(server), disputes: server.world.disputes, hasRecord: true };
});

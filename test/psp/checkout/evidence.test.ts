import { describeEvidence } from '../evidence-conformance.ts';
import { checkoutServer, gatewayTo } from './checkout-kit.ts';

describeEvidence(
  'Checkout.com',
  async () => {
    const server = await checkoutServer();
    const account = gatewayTo(server.url, server.credentials);
    return { account, disputes: server.disputes, hasRecord: true };
  },
  'offered',
  { files: 'checkout' },
);

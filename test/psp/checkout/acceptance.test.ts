import { describeAcceptance } from '../acceptance-conformance.ts';
import { checkoutServer, gatewayTo } from './checkout-kit.ts';

describeAcceptance('Checkout.com', async () => {
  const server = await checkoutServer();
  const account = gatewayTo(server.url, server.credentials);
  return { account, disputes: server.disputes, hasRecord: true };
});

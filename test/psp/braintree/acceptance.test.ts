import { describeAcceptance } from '../acceptance-conformance.ts';
import { braintreeServer, gatewayTo } from './braintree-kit.ts';

describeAcceptance('Braintree', async () => {
  const server = await braintreeServer();
  const account = gatewayTo(server.url, server.credentials);
  return { account, disputes: server.disputes, hasRecord: true };
});

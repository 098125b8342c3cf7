import { describeAcceptance } from '../acceptance-conformance.ts';
import { adyen, gatewayTo } from './adyen-kit.ts';

describeAcceptance('Adyen', async () => {
  const server = await adyen();
  const account = gatewayTo(server.url, server.credentials);
  return { account, disputes: server.disputes, hasRecord: false };
});

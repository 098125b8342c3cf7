import { describeEvidence } from '../evidence-conformance.ts';
import { adyen, gatewayTo } from './adyen-kit.ts';

describeEvidence(
  'Adyen',
  async () => {
    const server = await adyen();
    const account = gatewayTo(server.url, server.credentials);
    return { account, disputes: server.disputes, hasRecord: false };
  },
  'offered',
  { files: 'adyen', areNamed: false },
);

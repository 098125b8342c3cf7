import { describeGateway, type GatewayUnderTest } from '../conformance.ts';
import { gatewayTo, openGateway, stripe } from './stripe-kit.ts';

describeGateway('Stripe', startUnderTest, { pspCustomerId: 'cus_1' });

async function startUnderTest(): Promise<GatewayUnderTest> {
  const server = await stripe();
  return {
    gateway: gatewayTo(server),
    gatewayAt: (baseUrl, deadlineMs) =>
      openGateway(baseUrl, { deadlineMs, credentials: server.credentials }),
    refused: gatewayTo(server, { credentials: server.refusedCredentials }),
    methods: server.methods,
    refusal: (message) => ({
      status: 400,
      text: JSON.stringify({ error: { type: 'invalid_request_error', message } }),
    }),
    chargesOf: async (invoiceId) => server.charges(invoiceId),
    everythingWritten: async () => server.written(),
  };
}

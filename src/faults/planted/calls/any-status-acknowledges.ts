import type { Planted } from '../planted.ts';

export const anyStatusAcknowledges: Planted = {
  name: 'any-status-acknowledges',
  what: 'a webhook counts as delivered whatever was answered',
  client: (client) => ({
    ...client,
    async sendWebhook(request) {
      const result = await client.sendWebhook(request);
      return { kind: 'delivered', status: 200, durationMs: result.durationMs };
    },
  }),
};

import type { Planted } from '../planted.ts';

export const anOldSecret: Planted = {
  name: 'an-old-secret',
  what: 'webhooks are signed with a secret that the merchant does not have',
  client: (client) => ({
    ...client,
    sendWebhook: (request) =>
      client.sendWebhook({ ...request, secrets: { ...request.secrets, signingSecrets: ['old'] } }),
  }),
};

import type { Planted } from '../planted.ts';

export const aNewBodyEachSend: Planted = {
  name: 'a-new-body-each-send',
  what: 'an event has another body each time that it is sent',
  client: (client, { random }) => ({
    ...client,
    sendWebhook(request) {
      const body = `${request.body.slice(0, -1)},"nonce":"${random.bytes(2).join('')}"}`;
      return client.sendWebhook({ ...request, body });
    },
  }),
};

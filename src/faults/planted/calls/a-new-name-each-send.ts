import { base32 } from '../../../domain/ids.ts';
import type { Planted } from '../planted.ts';

export const aNewNameEachSend: Planted = {
  name: 'a-new-name-each-send',
  what: 'an event has another deduplication id each time that it is sent',
  client: (client, { random }) => ({
    ...client,
    sendWebhook(request) {
      const eventId = `${request.eventId}${base32(random.bytes(2))}`;
      return client.sendWebhook({ ...request, eventId });
    },
  }),
};

import { optional } from './setting.ts';
import { httpUrl, mailAddress } from './setting-values.ts';

/** How messages reach customers; what they say, and to whom they go, is a merchant's setting. */
export const messageSettings = {
  recoveryUrl: optional(httpUrl, {
    env: 'RECOVERY_URL',
    group: 'Messages to customers',
    defaultText: 'none: no merchant can switch messages on',
    meaning:
      'How the recovery port is reached from outside, such as `https://api.recoup.example.com`. Customers opt out of messages there, under `/unsubscribe/`.',
  }),
  messageBounceAddress: optional(mailAddress, {
    env: 'MESSAGE_BOUNCE_ADDRESS',
    group: 'Messages to customers',
    defaultText: 'none: the sender of the message',
    meaning:
      'Where bounced messages go, such as `bounces@recoup.example.com`: each has its id added, `bounces+cmg_…@…`, by which `POST /recover/message_bounces` knows it.',
  }),
};

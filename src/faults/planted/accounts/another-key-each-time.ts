import { base32 } from '../../../domain/ids.ts';
import type { Planted } from '../planted.ts';

export const anotherKeyEachTime: Planted = {
  name: 'another-key-each-time',
  what: 'each charge is sent under a new key, which nobody can find again',
  account: (account, context) => ({
    ...account,
    charge(request) {
      const idempotencyKey = `rcp_${base32(context.random.bytes(18))}`;
      return account.charge({ ...request, idempotencyKey });
    },
  }),
};

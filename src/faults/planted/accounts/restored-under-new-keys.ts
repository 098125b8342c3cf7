import type { Planted } from '../planted.ts';

export const restoredUnderNewKeys: Planted = {
  name: 'restored-under-new-keys',
  what: 'M8: after a restored backup nobody is asked what was charged since, and keys are new ones',
  change: (swarm) => ({ ...swarm, isRestored: true, accountsReplaced: 0 }),
  account(account, context) {
    if (context.config.restoredFrom === undefined) return account;
    return {
      ...account,
      listCharges: async () => ({ kind: 'unsupported' }),
      lookUp: async () => ({ kind: 'not_found' }),
      charge(request) {
        return account.charge({ ...request, idempotencyKey: `${request.idempotencyKey}_2` });
      },
    };
  },
};

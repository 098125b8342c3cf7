import type { Planted } from '../planted.ts';

export const lookedUpSuccessIsNothing: Planted = {
  name: 'looked-up-success-is-nothing',
  what: 'a success that is looked up counts as never made',
  change: (swarm) => ({ ...swarm, http: { ...swarm.http, answerLost: 0.4 } }),
  account: (account) => ({
    ...account,
    async lookUp(request) {
      const result = await account.lookUp(request);
      return result.kind === 'succeeded' ? { kind: 'not_found' } : result;
    },
  }),
};

import type { Planted } from '../planted.ts';

export const nothingSinceThen: Planted = {
  name: 'nothing-since-then',
  what: 'M3: a look-up asks for what was made since a time by the own clock',
  account: (account, context) => ({
    ...account,
    async lookUp(request) {
      const aheadMs = context.machine.now().getTime() - context.clock.now().getTime();
      if (Math.abs(aheadMs) > 200) return { kind: 'not_found' };
      return account.lookUp(request);
    },
  }),
};

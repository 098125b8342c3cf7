import type { Planted } from '../planted.ts';

export const askedWhereConnectedNow: Planted = {
  name: 'asked-where-connected-now',
  what: 'M2: a charge is looked up at the account that is connected now, not at its own',
  engine: ({ findGateway }) => ({
    findGateway: ({ merchantId, psp }) => findGateway({ merchantId, psp }),
  }),
};

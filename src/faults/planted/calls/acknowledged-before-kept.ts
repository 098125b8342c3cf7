import type { Planted } from '../planted.ts';

export const acknowledgedBeforeKept: Planted = {
  name: 'acknowledged-before-kept',
  what: 'a report is acknowledged before it is committed',
  recovery: (recovery) => ({
    ...recovery,
    async acceptPayment(input) {
      recovery.acceptPayment(input).catch(() => undefined);
      return { uuid: input.uuid, number: 1n, partition: 0 };
    },
  }),
};

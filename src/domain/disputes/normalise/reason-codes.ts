import type { CardNetwork } from '../../declines/decline-codes.ts';

/** What a cardholder's bank complains of, in four families. */
export const reasonFamilies = ['fraud', 'authorisation', 'processing', 'consumer'] as const;
export type ReasonFamily = (typeof reasonFamilies)[number];

/**
 * The codes of each network's disputes. Sources: Stripe, dispute categories (Visa, in full); Antom on
 * Mastercard, American Express and Discover; Braintree's list of 22 September 2025, which also names
 * the old numbers of inquiries; Yuno and North. No full table of Discover and of the A and P codes of
 * American Express is public. Visa 28, 30 and 34 and the numbered codes of American Express are
 * inquiries: their family is that of the chargeback which may follow.
 */
export const reasonCodes: Readonly<
  Record<CardNetwork, Readonly<Record<ReasonFamily, readonly string[]>>>
> = {
  visa: {
    fraud: ['10.1', '10.2', '10.3', '10.4', '10.5', '33'],
    authorisation: ['11.1', '11.2', '11.3'],
    processing: ['12.1', '12.2', '12.3', '12.4', '12.5', '12.6.1', '12.6.2', '12.7'],
    consumer: [
      ...['13.1', '13.2', '13.3', '13.4', '13.5', '13.6', '13.7', '13.8', '13.9'],
      ...['28', '30', '34'],
    ],
  },
  mastercard: {
    fraud: ['4837', '4840', '4849', '4863', '4870', '4871'],
    authorisation: ['4807', '4808', '4812'],
    processing: ['4834'],
    consumer: ['4841', '4850', '4853', '4854', '4999'],
  },
  amex: {
    fraud: [
      ...['F10', 'F14', 'F24', 'F29', 'F30', 'F31', 'FR2', 'FR4', 'FR6'],
      ...['127', '177', '193', '4540'],
    ],
    authorisation: ['A01', 'A02', 'A08'],
    processing: ['P01', 'P03', 'P04', 'P05', 'P07', 'P08', 'P22', 'P23', 'C14', '173'],
    consumer: [
      ...['C02', 'C04', 'C05', 'C08', 'C18', 'C28', 'C31', 'C32', 'M01', 'M38', 'R03', 'R13'],
      ...['155', '175', '684', '4513', '4554'],
    ],
  },
  discover: {
    fraud: ['UA01', 'UA02', 'UA05', 'UA06', 'UA10', 'UA11', 'AA'],
    authorisation: ['AT', 'DA', 'NA', 'EX'],
    processing: ['IN', 'LP', 'DP'],
    consumer: ['RG', 'RM', 'AP', 'RN2', 'CD'],
  },
};

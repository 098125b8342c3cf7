import type { MagicMethod } from '../../recovery/sandbox-api.ts';

/**
 * The payment method ids that the sandbox PSP knows, in the words of docs/sandbox.md. Each example
 * is one that `outcomeOf` understands.
 */
export const magicMethods: readonly MagicMethod[] = [
  {
    id: 'pm_sandbox_success',
    examples: ['pm_sandbox_success'],
    meaning: 'The charge succeeds.',
  },
  {
    id: 'pm_sandbox_decline_<code>',
    examples: ['pm_sandbox_decline_51', 'pm_sandbox_decline_54', 'pm_sandbox_decline_R0'],
    meaning: 'The issuer declines with this response code (ISO 8583 field 39).',
  },
  {
    id: 'pm_sandbox_decline_<code>_mac_<nn>',
    examples: ['pm_sandbox_decline_51_mac_25'],
    meaning: 'The same on a Mastercard, with this merchant advice code.',
  },
  {
    id: 'pm_sandbox_decline_<code>_until_<unix>',
    examples: ['pm_sandbox_decline_51_until_1772355600'],
    meaning: 'The same until that time, in seconds since 1970; from then on the charge succeeds.',
  },
  {
    id: 'pm_sandbox_success_after_<n>',
    examples: ['pm_sandbox_success_after_3'],
    meaning: 'The n-th try of an invoice succeeds; earlier ones are declined with 51.',
  },
  {
    id: 'pm_sandbox_lost_success',
    examples: ['pm_sandbox_lost_success'],
    meaning: 'The charge is made, then the connection breaks without an answer.',
  },
  {
    id: 'pm_sandbox_lost_decline',
    examples: ['pm_sandbox_lost_decline'],
    meaning: 'The charge is declined with 51, then the connection breaks without an answer.',
  },
  {
    id: 'pm_sandbox_lost_before',
    examples: ['pm_sandbox_lost_before'],
    meaning: 'The connection breaks before a charge is made.',
  },
  {
    id: 'pm_sandbox_not_found',
    examples: ['pm_sandbox_not_found'],
    meaning:
      'The processor refuses the request, as one that has the method no more; nothing is made.',
  },
  {
    id: 'pm_sandbox_unavailable',
    examples: ['pm_sandbox_unavailable'],
    meaning: 'The processor answers that it is down, and for how long; nothing is made.',
  },
];

import fc from 'fast-check';
import { dayMs, hourMs, minuteMs } from '../../../src/domain/clock.ts';
import { updateReasons } from '../../../src/domain/payment-event.ts';
import type { FakeAnswer } from '../../kits/fake-merchant.ts';
import { type Moment, operations } from './faulty-worker.ts';

/** What may happen to the engine, as data: a failing history can be shrunk and run again. */
export type Command =
  | {
      readonly kind: 'fail';
      readonly invoice: number;
      readonly methods: readonly string[];
      readonly code: string;
    }
  | { readonly kind: 'pay'; readonly invoice: number }
  | {
      readonly kind: 'update';
      readonly customer: number;
      readonly atPsp: boolean;
      readonly method: string;
      readonly reason: (typeof updateReasons)[number];
    }
  | { readonly kind: 'stop'; readonly invoice: number; readonly waits: boolean }
  | { readonly kind: 'retry'; readonly invoice: number; readonly inMs: number }
  | { readonly kind: 'work'; readonly forMs: number }
  | { readonly kind: 'sleep'; readonly forMs: number }
  | { readonly kind: 'die'; readonly moment: Moment; readonly forMs: number }
  | { readonly kind: 'hold_up'; readonly moment: Moment; readonly forMs: number }
  | { readonly kind: 'at_once'; readonly commands: readonly Command[] }
  | { readonly kind: 'merchant_says'; readonly answer: string }
  | { readonly kind: 'webhooks'; readonly up: boolean };

/** Invoices of the model; two of them are of one customer. */
export const invoiceCount = 3;
export const customerOf = (invoice: number): number => invoice % 2;

const methods = fc.constantFrom(
  'pm_sandbox_success',
  'pm_sandbox_decline_51',
  'pm_sandbox_decline_51--2',
  'pm_sandbox_decline_43',
  'pm_sandbox_decline_54',
  'pm_sandbox_decline_05_mac_30',
  'pm_sandbox_success_after_3',
  'pm_sandbox_lost_success',
  'pm_sandbox_lost_decline',
  'pm_sandbox_not_found',
  'pm_sandbox_unavailable',
);

const yes = { retry: true, reason: 'Invoice open' };
/** What the merchant's server may answer to the final check. */
export const merchantAnswers: Readonly<Record<string, FakeAnswer>> = {
  yes: { body: yes },
  less: { body: { ...yes, amount: 3.5 } },
  more: { body: { ...yes, amount: 999 } },
  other_methods: {
    body: {
      ...yes,
      payment_methods: ['pm_sandbox_decline_43', 'pm_sandbox_decline_51', 'pm_sandbox_success'].map(
        (id) => ({ id }),
      ),
    },
  },
  no: { body: { retry: false, reason: 'User Cancelation' } },
  unknown_invoice: { status: 404, body: { detail: 'no such invoice' } },
  too_many: { status: 429, headers: { 'retry-after': '3600' } },
  broken: { status: 500 },
  half: { body: '{"retry":true,"rea' },
};

const invoice = fc.nat(invoiceCount - 1);
const moments: fc.Arbitrary<Moment> = fc.record({
  operation: fc.constantFrom(...operations),
  when: fc.constantFrom('before' as const, 'after' as const),
  nth: fc.integer({ min: 1, max: 3 }),
});
const spans = fc.constantFrom(minuteMs, hourMs, 12 * hourMs, dayMs, 2 * dayMs);

const reports: fc.Arbitrary<Command> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pay' as const), invoice }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      customer: fc.nat(1),
      atPsp: fc.boolean(),
      method: methods,
      reason: fc.constantFrom(...updateReasons),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('stop' as const), invoice, waits: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('retry' as const),
      invoice,
      inMs: fc.constantFrom(0, hourMs, dayMs),
    }),
  },
);

const work: fc.Arbitrary<Command> = fc.record({ kind: fc.constant('work' as const), forMs: spans });

const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fail' as const),
      invoice,
      methods: fc.array(methods, { minLength: 1, maxLength: 3 }),
      code: fc.constantFrom('51', '51', '54', '43'),
    }),
  },
  { weight: 4, arbitrary: reports },
  { weight: 6, arbitrary: work },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sleep' as const), forMs: spans }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('die' as const), moment: moments, forMs: spans }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('hold_up' as const), moment: moments, forMs: spans }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('at_once' as const),
      commands: fc.array(fc.oneof(reports, work), { minLength: 2, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('merchant_says' as const),
      answer: fc.constantFrom('yes', 'yes', 'yes', ...Object.keys(merchantAnswers)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('webhooks' as const), up: fc.boolean() }) },
);

/** A history: it begins with a failed payment, since nothing happens before one. */
export const histories: fc.Arbitrary<readonly Command[]> = fc
  .tuple(
    fc.record({
      kind: fc.constant('fail' as const),
      invoice,
      methods: fc.array(methods, { minLength: 1, maxLength: 3 }),
      code: fc.constant('51'),
    }),
    fc.array(commands, { minLength: 4, maxLength: 14 }),
  )
  .map(([first, more]) => [first, ...more]);

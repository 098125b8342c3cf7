import { Type } from 'typebox';
import type { JsonObject } from '../../domain/payment.ts';
import { arms, paymentArms } from '../../policy/plan.ts';

const time = { type: 'string', format: 'date-time' } as const;
const texts = { type: 'array', items: { type: 'string' } } as const;

/**
 * Why a payment is planned as it is. Fields of later policies are shown too, so the object is open;
 * those that are named here stay as they are.
 */
const schema = {
  title: 'Decision',
  type: 'object',
  additionalProperties: true,
  properties: {
    kind: { type: 'string', description: 'attempt, wait_for_update or exhausted.' },
    because: { type: 'string', description: 'The reason in words.' },
    policy: { type: 'string', description: 'fixed, even, learned or client_retry.' },
    policy_version: { type: 'string', description: 'Of learned: the id of the model.' },
    rule_pack_version: { type: 'string', description: "The edition of the networks' rules." },
    decided_at: time,
    at: { ...time, description: 'When the attempt is to start, or the wait ends.' },
    methods: texts,
    candidates: {
      type: 'array',
      description: 'The times that were weighed, the best first.',
      items: {
        type: 'object',
        properties: { at: time, score: { type: 'number' } },
        required: ['at', 'score'],
      },
    },
    bounded_by: { ...texts, description: 'What moved a time, or forbade a method.' },
    propensity: { type: 'number', description: 'The chance with which this choice was taken.' },
    arm: {
      type: 'string',
      title: 'Arm',
      enum: [...arms],
      description:
        'Of learned: planned by the model, by chance to learn from, held out to compare with, or on ' +
        'the fixed days because the model is not trusted.',
    },
    payment_arm: {
      type: 'string',
      title: 'PaymentArm',
      enum: [...paymentArms],
      description:
        "Of learned: the arm that the payment as a whole is compared in, its first decision's, whatever plans it since.",
    },
    chance: { type: 'number', description: 'Of an approval at that time, as the model has it.' },
    leading: {
      type: 'array',
      description: 'What moved that chance most, the strongest first.',
      items: {
        type: 'object',
        properties: {
          feature: { type: 'string' },
          words: { type: 'string' },
          value: { type: 'number' },
          effect: { type: 'number', description: 'How far it moved the chance.' },
        },
        required: ['feature', 'words', 'value', 'effect'],
      },
    },
  },
} as const;

/** The decision as a field of an answer. */
export function decisionField(description: string) {
  return Type.Unsafe<JsonObject>({ ...schema, description });
}

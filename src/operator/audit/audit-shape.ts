import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { timeField } from '../../http/fields.ts';
import { freeObject } from '../../http/views/free-object.ts';
import { allMerchants } from '../../recovery/learned/model-ports.ts';
import type { AuditLine } from '../../recovery/reports/audit-views.ts';
import { merchantIdField } from '../shapes.ts';

export const chainField = Type.String({
  pattern: '^[^\\x00]{1,64}$',
  description: 'The merchant whose chain it belongs to; * for what belongs to none.',
});

export const auditLineShape = Type.Object(
  {
    chain: chainField,
    line: Type.Integer({ minimum: 1, description: 'Its place in the chain.' }),
    merchant_id: Type.Optional(merchantIdField),
    at: timeField("When, by the service's clock."),
    actor: Type.String({
      description:
        'Who: operator (the operator token), the id of an operator, merchant, the id of a merchant’s key (cred_…), portal (who looks at a merchant’s portal), training, service, or unknown for a refused sign-in.',
    }),
    address: Type.Optional(
      Type.String({ description: 'Where the request came from; absent without a request.' }),
    ),
    action: Type.String({ description: 'What was done, such as payment.stopped.' }),
    detail: freeObject('What it was done to.'),
    before: Type.Optional(freeObject('The values before.')),
    after: Type.Optional(freeObject('The values after.')),
    hash: Type.String({ description: 'SHA-256 over this line and the hash of the one before.' }),
  },
  {
    title: 'AuditLine',
    examples: [
      {
        chain: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
        line: 12,
        merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
        at: '2026-03-02T12:07:31.000Z',
        actor: 'operator',
        address: '10.2.0.7',
        action: 'payment.stopped',
        detail: { invoice_id: 'inv_1042', reason: 'the customer asked for it' },
        before: { status: 'scheduled', next_attempt_at: '2026-03-04T06:02:00.000Z' },
        after: { status: 'stopped' },
        hash: '9f2b7c41d0a5e6f8b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0',
      },
    ],
  },
);

export function auditLineJson(line: AuditLine) {
  const { chain, before, after, ...rest } = line;
  return {
    ...rest,
    chain,
    at: line.at.toISOString(),
    ...present({
      merchant_id: chain === allMerchants ? undefined : chain,
      before,
      after,
    }),
  };
}

export const auditHeadShape = Type.Object(
  {
    chain: chainField,
    line: Type.Integer({ minimum: 1, description: 'How many lines it has.' }),
    hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'Of its last line.' }),
  },
  { title: 'AuditHead', additionalProperties: false },
);

export const verdictShape = Type.Object(
  {
    holds: Type.Boolean({ description: 'Whether no chain is broken.' }),
    lines: Type.Integer({ minimum: 0, description: 'Lines that were verified.' }),
    heads: Type.Array(auditHeadShape, {
      description:
        'The last line of each chain. Store these elsewhere and send them with the next verification.',
    }),
    broken: Type.Array(
      Type.Object(
        {
          chain: chainField,
          line: Type.Integer({ minimum: 1 }),
          because: Type.String({ description: 'What is wrong with it.' }),
        },
        { title: 'BrokenLine' },
      ),
      { description: 'The first broken line of each broken chain.' },
    ),
  },
  {
    title: 'AuditVerdict',
    description: 'What was found.',
    examples: [
      {
        holds: false,
        lines: 11,
        heads: [
          {
            chain: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
            line: 12,
            hash: '9f2b7c41d0a5e6f8b3c2d1e0f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0',
          },
        ],
        broken: [{ chain: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1', line: 12, because: 'it was changed' }],
      },
    ],
  },
);

import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { verifyAudit as verify } from '../../store/admin/verify-audit.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { auditHeadShape, chainField, verdictShape } from './audit-shape.ts';

const body = Type.Object(
  {
    merchant_id: Type.Optional(chainField),
    known: Type.Optional(
      Type.Array(auditHeadShape, {
        maxItems: 5_000,
        description: 'Heads of an earlier answer: each must still be the hash of its line.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{}] },
);

/** POST /api/audit/verify */
export const verifyAudit = defineEndpoint({
  method: 'POST',
  path: '/api/audit/verify',
  needs: { role: 'administrator', reach: 'all' },
  docs: {
    id: 'verifyAudit',
    tag: 'Audit log',
    summary: "Verify the audit log's chains of hashes",
    description:
      'Reads every line and recomputes its hash. Each merchant has a chain of its own, and so has `*`, what belongs to none.',
  },
  schema: { body },
  body: { isOptional: true },
  answers: { 200: verdictShape, ...refusals(400) },
  async answer(
    { body: { merchant_id: merchantId, known } },
    { reports: db }: Pick<OperatorDeps, 'reports'>,
  ) {
    const verdict = await verify(db, present({ merchantId, known }));
    return contentAnswer({ holds: verdict.broken.length === 0, ...verdict });
  },
});

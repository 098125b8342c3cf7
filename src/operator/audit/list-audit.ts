import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { shapedField, timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listAudit as readAudit } from '../../store/admin/read-audit.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { auditLineJson, auditLineShape, chainField } from './audit-shape.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(chainField),
    actor: Type.Optional(
      shapedField('Only what this actor did.', '^[\\w.@*-]{1,100}$', 'who a line names'),
    ),
    action: Type.Optional(
      shapedField(
        'Only this act; with a dot at the end, all that begin with it: `payment.`',
        '^[a-z_]{1,60}(\\.[a-z_]{0,60})?$',
        'an act, such as payment.stopped or payment.',
      ),
    ),
    from: Type.Optional(timeField('Only what was done then or later.')),
    to: Type.Optional(timeField('Only what was done before.')),
    ...pageQuery,
  },
  { additionalProperties: false },
);

/** GET /api/audit */
export const listAudit = defineEndpoint({
  method: 'GET',
  path: '/api/audit',
  needs: { role: 'operator', reach: 'queried' },
  docs: {
    id: 'listAudit',
    tag: 'Audit log',
    summary: 'List who did what',
    description: 'Newest first. Lines are never changed or removed.',
  },
  schema: { query },
  answers: { 200: pageShape(auditLineShape, 'One page of lines.'), ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'reports' | 'caller'>) {
    const { actor, action, from, to } = query;
    const { merchantIds: chains } = whose(context, query);
    const page = await readAudit(context.reports, {
      ...present({ chains, actor, action, from: instant(from), to: instant(to) }),
      ...pageOf(query),
    });
    return contentAnswer(pageJson(page, auditLineJson));
  },
});

function instant(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { idField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { listSetAside as readSetAside } from '../../store/set-aside/set-aside-store.ts';
import type { OperatorContext } from '../operator-deps.ts';
import { whose } from '../session/permit.ts';
import { merchantIdField, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { kindField, setAsideJson, setAsideShape } from './set-aside-shape.ts';

const query = Type.Object(
  {
    merchant_id: Type.Optional(merchantIdField),
    kind: Type.Optional(kindField),
    invoice_id: Type.Optional(idField('Only what is of this invoice.')),
    ...pageQuery,
  },
  { additionalProperties: false },
);

/** GET /api/set-aside */
export const listSetAside = defineEndpoint({
  method: 'GET',
  path: '/api/set-aside',
  needs: { role: 'viewer', reach: 'queried' },
  docs: {
    id: 'listSetAside',
    tag: 'Set aside',
    summary: 'List the work that was set aside',
    description:
      'The longest set aside first: work that failed each time, and payments whose tries reach no processor.',
  },
  schema: { query },
  answers: { 200: pageShape(setAsideShape, 'One page of it.'), ...refusals(400) },
  async answer({ query }, context: Pick<OperatorContext, 'db' | 'caller'>) {
    const { kind, invoice_id: invoiceId } = query;
    const page = await readSetAside(context.db, {
      ...whose(context, query),
      ...present({ kind, invoiceId }),
      ...pageOf(query),
    });
    return contentAnswer(pageJson(page, setAsideJson));
  },
});

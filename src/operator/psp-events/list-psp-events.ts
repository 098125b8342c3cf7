import { Type } from 'typebox';
import { present } from '../../domain/present.ts';
import { psps } from '../../domain/psps.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { readPspEvents } from '../../store/reports/read-psp-events.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { pspEventJson, pspEventShape } from './psp-event-shape.ts';

const query = Type.Object(
  { psp: Type.Optional(enumField(psps, 'Only those of this PSP.')), ...pageQuery },
  { additionalProperties: false },
);

/** GET /api/merchants/{id}/psp-events */
export const listPspEvents = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/psp-events',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'listPspEvents',
    tag: 'PSP events',
    summary: 'List what PSPs reported of a merchant by webhook',
    description: 'The newest first, each with what Recoup made of it. Bodies are never shown.',
  },
  schema: { path: merchantPath, query },
  answers: { 200: pageShape(pspEventShape, 'One page of them.'), ...refusals(400, 404) },
  async answer({ path, query }, { reports: db }: Pick<OperatorDeps, 'reports'>) {
    const { psp } = query;
    const { merchantId } = await findMerchant(db, path.id);
    const page = await readPspEvents(db, {
      merchantId,
      ...present({ psp }),
      ...pageOf(query),
    });
    return contentAnswer(pageJson(page, pspEventJson));
  },
});

import { Type } from 'typebox';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { idField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import type { DisputesContext } from '../caller.ts';
import { detailDocs } from '../detail-docs.ts';
import { validationAnswer, validationDocs } from '../validation-answer.ts';
import { disputeFields } from './dispute-shape.ts';
import { faultItem } from './fault-item.ts';

const choiceShape = Type.Object({
  analytics_id: idField('The analytics record that belongs to the dispute.'),
});

const noSuchAnalytics = faultItem('body', {
  at: 'analytics_id',
  text: 'You have submitted no such analytics record, or it was erased',
});

/**
 * POST /v1/disputes/{id}/match: a person's choice, where rules left a conflict or were not sure.
 */
export const confirmMatch = defineEndpoint({
  method: 'POST',
  path: '/v1/disputes/{id}/match',
  scope: 'act',
  docs: {
    id: 'confirmMatch',
    tag: 'Disputes',
    summary: 'Confirm the analytics record of a dispute',
    description:
      'For conflicts, weak candidates and wrong matches: any analytics record of yours. No rule overrides it; another choice replaces it.',
  },
  schema: { path: Type.Object({ id: disputeFields.id }), body: choiceShape },
  body: {
    mediaType: 'application/json',
    examples: { example: { analytics_id: 'ana_4c1vbz7p0x9k2m5n8q3r6t0w' } },
  },
  answers: {
    200: {
      description: 'It is the match.',
      schema: Type.Object({ id: disputeFields.id, analytics_id: Type.String() }),
      example: {
        id: 'dis_4c1vbz7p0x9k2m5n8q3r6t0w',
        analytics_id: 'ana_4c1vbz7p0x9k2m5n8q3r6t0w',
      },
    },
    404: detailDocs('There is no dispute with this id.', 'Not Found'),
    422: validationDocs,
  },
  async answer({ path, body }, { disputes, merchantId }: DisputesContext) {
    const { id: disputeId } = path;
    const { analytics_id: analyticsId } = body;
    const actor = 'merchant';
    switch (await disputes.confirmMatch({ merchantId, disputeId, analyticsId, actor })) {
      case 'confirmed':
        return jsonAnswer(200, { id: disputeId, analytics_id: analyticsId });
      case 'no_dispute':
        return notFound;
      case 'no_analytics':
        return validationAnswer([noSuchAnalytics]);
    }
  },
});

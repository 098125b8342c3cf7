import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import { readStrictJson } from '../../../domain/json/strict-json.ts';
import { compileSchema } from '../../check-schema.ts';
import { idField } from '../../fields.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { notFound } from '../answers.ts';
import { detailDocs } from '../detail-docs.ts';
import type { WholeEndpoint } from '../endpoint.ts';
import { validationAnswer, validationDocs } from '../validation-answer.ts';
import { disputeFields } from './dispute-shape.ts';
import { faultItem } from './fault-item.ts';

const body = Type.Object({ analytics_id: idField('The capture that belongs to the dispute.') });
const check = compileSchema(body);

const noSuchCapture = faultItem('body', {
  at: 'analytics_id',
  text: 'You have submitted no such capture, or it was erased',
});

/** POST /v1/disputes/{id}/match: a person's choice, where rules left a conflict or were not sure. */
export const confirmMatch: WholeEndpoint = {
  kind: 'whole',
  method: 'POST',
  paths: ['/v1/disputes/{id}/match'],
  operation: {
    operationId: 'confirmMatch',
    tag: 'Disputes',
    summary: 'Say which capture belongs to a dispute',
    description:
      'For conflicts, weak candidates and wrong matches: any capture of yours. No rule takes it back; another choice replaces it.',
    path: Type.Object({ id: disputeFields.id }),
    body: {
      mediaType: 'application/json',
      schema: body,
      example: { analytics_id: 'ana_4c1vbz7p0x9k2m5n8q3r6t0w' },
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
      404: detailDocs('There is no dispute by this id.', 'Not Found'),
      422: validationDocs,
    },
  },
  async answer({ disputes, merchantId, path }, raw) {
    if (raw?.kind === 'too_large') throw new AppError('payload_too_large');
    const reading = readStrictJson(raw?.kind === 'whole' ? raw.bytes : Buffer.alloc(0));
    const faults = reading.kind === 'value' ? check(reading.value) : reading.faults;
    if (reading.kind !== 'value' || faults.length > 0) {
      return validationAnswer(faults.map((fault) => faultItem('body', fault)));
    }
    const disputeId = path.id ?? '';
    if (disputeId.includes('\0')) return notFound;
    const { analytics_id: analyticsId } = reading.value as Type.Static<typeof body>;
    const actor = 'merchant';
    switch (await disputes.confirmMatch({ merchantId, disputeId, analyticsId, actor })) {
      case 'confirmed':
        return jsonAnswer(200, { id: disputeId, analytics_id: analyticsId });
      case 'no_dispute':
        return notFound;
      case 'no_capture':
        return validationAnswer([noSuchCapture]);
    }
  },
};

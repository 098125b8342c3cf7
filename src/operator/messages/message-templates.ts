import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { templateFaults } from '../../domain/messages/message-template.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer, noContent } from '../../http/server/answer.ts';
import { refuseFaults } from '../invalid-request.ts';
import { found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { languageField, reasonField, templateFields, templateShape } from './message-shapes.ts';

const path = Type.Object({ id: merchantIdField, reason: reasonField, language: languageField });

const body = Type.Object(templateFields, {
  additionalProperties: false,
  examples: [
    {
      subject: 'Your payment to {merchant} did not go through',
      body: 'The card has expired. Please give us a new one until {until}: {link}',
    },
  ],
});

/** PUT /api/merchants/{id}/message-templates/{reason}/{language} */
export const setMessageTemplate = defineEndpoint({
  method: 'PUT',
  path: '/api/merchants/{id}/message-templates/{reason}/{language}',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'setMessageTemplate',
    tag: 'Messages',
    summary: "Set a merchant's own text",
    description: 'Replaces Recoup’s text for this reason and language, or adds a language.',
  },
  schema: { path, body },
  answers: { 200: templateShape, ...refusals(400, 404) },
  async answer({ path, body }, { api }: Pick<OperatorDeps, 'api'>) {
    const { id, reason, language } = path;
    refuseFaults(templateFaults(body, reason));
    const template = { reason, language, ...body };
    found((await api.setMessageTemplate(id, template)) || undefined);
    return contentAnswer({ ...template, is_own: true });
  },
});

/** DELETE /api/merchants/{id}/message-templates/{reason}/{language} */
export const removeMessageTemplate = defineEndpoint({
  method: 'DELETE',
  path: '/api/merchants/{id}/message-templates/{reason}/{language}',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'removeMessageTemplate',
    tag: 'Messages',
    summary: "Remove a merchant's own text",
    description: 'Recoup’s text is used again if it has one in this language.',
  },
  schema: { path },
  answers: { 204: Type.Null({ description: 'It is removed.' }), ...refusals(400, 404) },
  async answer({ path }, { api }: Pick<OperatorDeps, 'api'>) {
    const { id, ...named } = path;
    if (await api.removeMessageTemplate(id, named)) return noContent;
    throw new AppError('not_found', 'The merchant has no such text of its own.');
  },
});

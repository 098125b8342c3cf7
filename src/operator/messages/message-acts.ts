import { Type } from 'typebox';
import type { Fault } from '../../domain/json/fault.ts';
import { isEmailAddress } from '../../domain/messages/message-settings.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { refuseFaults } from '../invalid-request.ts';
import { findMerchant, found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { languageField, reasonField } from './message-shapes.ts';

const addressField = Type.String({
  minLength: 3,
  maxLength: 200,
  description: 'An e-mail address.',
});

/** POST /api/merchants/{id}/message-tests */
export const testMessage = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/message-tests',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'testMessage',
    tag: 'Messages',
    summary: 'Send one message as a test',
    description: 'Sent at once, about a made-up payment, whether or not messages are switched on.',
  },
  schema: {
    path: merchantPath,
    body: Type.Object(
      { to: addressField, reason: reasonField, language: languageField },
      {
        additionalProperties: false,
        examples: [{ to: 'me@acme.example', reason: 'expired_card', language: 'en' }],
      },
    ),
  },
  answers: {
    200: Type.Object(
      {
        sent: Type.Boolean({ description: 'Whether the mail server accepted it.' }),
        detail: Type.Optional(Type.String({ description: 'Why it did not.' })),
      },
      { description: 'What the mail server said.', examples: [{ sent: true }] },
    ),
    ...refusals(400, 404, 409),
  },
  async answer({ path, body }, { api }: Pick<OperatorDeps, 'api'>) {
    refuseFaults(addressFaults('to', body.to));
    const outcome = found(await api.testMessage({ merchantId: path.id, ...body }));
    return contentAnswer(present({ sent: outcome.sent, detail: outcome.detail }));
  },
});

/** POST /api/merchants/{id}/message-suppressions */
export const suppressMessages = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/message-suppressions',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'suppressMessages',
    tag: 'Messages',
    summary: 'Stop messages to an address, or allow them again',
    description:
      'For a customer who asked for it in another way. Addresses are stored as keyed hashes, so they cannot be listed.',
  },
  schema: {
    path: merchantPath,
    body: Type.Object(
      {
        email: addressField,
        suppressed: Type.Boolean({ description: 'false: allow them again.' }),
      },
      {
        additionalProperties: false,
        examples: [{ email: 'jane@example.com', suppressed: true }],
      },
    ),
  },
  answers: {
    200: Type.Object(
      { changed: Type.Boolean({ description: 'False if it was already so.' }) },
      { description: 'It is so.', examples: [{ changed: true }] },
    ),
    ...refusals(400, 404),
  },
  async answer({ path, body }, { db, api }: Pick<OperatorDeps, 'db' | 'api'>) {
    refuseFaults(addressFaults('email', body.email));
    const { merchantId } = await findMerchant(db, path.id);
    const { email, suppressed: isSuppressed } = body;
    return contentAnswer({
      changed: await api.suppressMessages({ merchantId, email, isSuppressed }),
    });
  },
});

function addressFaults(at: string, address: string): readonly Fault[] {
  return isEmailAddress(address) ? [] : [{ at, text: 'Input should be an e-mail address' }];
}

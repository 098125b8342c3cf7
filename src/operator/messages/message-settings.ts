import { Type } from 'typebox';
import type { Fault } from '../../domain/json/fault.ts';
import { isMailbox } from '../../domain/messages/message-settings.ts';
import { isTimeZone, noZoneText } from '../../domain/places/time-zone.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { SettingsChange } from '../../recovery/messages/messages-api.ts';
import { refuseFaults } from '../invalid-request.ts';
import { found } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { mailboxFields, messagesJson, messagesShape, settingFields } from './message-shapes.ts';

const body = Type.Partial(Type.Object({ ...settingFields, ...mailboxFields }), {
  additionalProperties: false,
  minProperties: 1,
  description: 'What to change. An empty sender or reply_to removes it.',
  examples: [{ sender: 'Acme <billing@acme.example>', time_zone: 'America/New_York' }],
});

/** GET /api/merchants/{id}/message-settings */
export const showMessageSettings = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/message-settings',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'showMessageSettings',
    tag: 'Messages',
    summary: "Show how a merchant's customers are written to",
    description: 'With every text, and what prevents messages from being switched on.',
  },
  schema: { path: merchantPath },
  answers: { 200: messagesShape, ...refusals(404) },
  async answer({ path }, { api }: Pick<OperatorDeps, 'api'>) {
    return contentAnswer(messagesJson(found(await api.showMessages(path.id))));
  },
});

/** PATCH /api/merchants/{id}/message-settings */
export const changeMessageSettings = defineEndpoint({
  method: 'PATCH',
  path: '/api/merchants/{id}/message-settings',
  needs: { role: 'administrator', reach: 'path' },
  docs: {
    id: 'changeMessageSettings',
    tag: 'Messages',
    summary: "Change how a merchant's customers are written to",
    description:
      'Takes effect with the next message. Messages can be switched on only if a sender, a page for customers, a mail server and RECOVERY_URL are set.',
  },
  schema: { path: merchantPath, body },
  answers: { 200: messagesShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, { api }: Pick<OperatorDeps, 'api'>) {
    refuseFaults(faultsOf(body));
    return contentAnswer(messagesJson(found(await api.changeMessages(path.id, changeOf(body)))));
  },
});

type Body = Type.Static<typeof body>;

function faultsOf({ sender, reply_to: replyTo, time_zone: zone }: Body): readonly Fault[] {
  const text = 'Input should be an e-mail address, with or without a name';
  const isFault = (mailbox: string | undefined) =>
    mailbox !== undefined && mailbox !== '' && !isMailbox(mailbox);
  return [
    ...(isFault(sender) ? [{ at: 'sender', text }] : []),
    ...(isFault(replyTo) ? [{ at: 'reply_to', text }] : []),
    ...(zone !== undefined && !isTimeZone(zone) ? [{ at: 'time_zone', text: noZoneText }] : []),
  ];
}

function changeOf(body: Body): SettingsChange {
  const orNull = (text: string | undefined) => (text === '' ? null : text);
  return present({
    isOn: body.on,
    sender: orNull(body.sender),
    replyTo: orNull(body.reply_to),
    timeZone: body.time_zone,
    quietFrom: body.quiet_from,
    quietUntil: body.quiet_until,
    maxMessages: body.max_messages,
    firstAfterHours: body.first_after_hours,
    gapHours: body.gap_hours,
    holdoutShare: body.holdout_share,
    language: body.language,
  });
}

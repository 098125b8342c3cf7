import { Type } from 'typebox';
import { builtInTemplates, type NamedTemplate } from '../../domain/messages/built-in-templates.ts';
import { messageLimits } from '../../domain/messages/message-settings.ts';
import { messageReasons, placeholders } from '../../domain/messages/message-template.ts';
import { present } from '../../domain/present.ts';
import { enumField } from '../../http/fields.ts';
import type { MessagesView } from '../../recovery/messages/messages-api.ts';

export const reasonField = enumField(messageReasons, 'Why the customer is written to.');
export const languageField = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Z]{2})?$',
  description: 'A language tag, such as en or pt-BR.',
  'x-fault': 'Input should be a language tag, such as en or pt-BR',
});

const hours = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: messageLimits.hours, description });
const hourOfDay = (description: string) => Type.Integer({ minimum: 0, maximum: 23, description });

/** What is always there. */
export const settingFields = {
  on: Type.Boolean({ description: 'Whether customers are written to.' }),
  time_zone: Type.String({
    description: 'IANA name; used for customers whose own zone is not known.',
  }),
  quiet_from: hourOfDay('From this hour on nothing is sent; equal to quiet_until: no quiet hours.'),
  quiet_until: hourOfDay('Until this hour.'),
  max_messages: Type.Integer({
    minimum: 1,
    maximum: messageLimits.maxMessages,
    description: 'Messages about one payment.',
  }),
  first_after_hours: hours(0, 'Hours from the beginning of the wait to the first message.'),
  gap_hours: hours(1, 'Hours between two messages about one payment.'),
  holdout_share: Type.Number({
    minimum: 0,
    maximum: messageLimits.holdoutShare,
    description: 'Share of payments whose customers are never written to, to compare with.',
  }),
  language: languageField,
};

const mailboxText = 'The sender of messages, such as Acme <billing@acme.example>.';
export const mailboxFields = {
  sender: Type.String({ maxLength: messageLimits.sender, description: mailboxText }),
  reply_to: Type.String({
    maxLength: messageLimits.sender,
    description: 'Where replies go; to the sender if not set.',
  }),
};

const templateExample = {
  reason: 'expired_card',
  language: 'en',
  subject: 'Your payment to {merchant} did not go through',
  body: 'The card has expired. Please give us a new one: {link}',
  is_own: true,
} as const;

export const templateFields = {
  subject: Type.String({
    minLength: 1,
    description: `One line. ${placeholders.map((each) => `{${each}}`).join(', ')} are replaced by their values; {link} only in the body.`,
  }),
  body: Type.String({
    minLength: 1,
    description: 'Plain text with {link} in it. How to stop messages is added below it.',
  }),
};

export const templateShape = Type.Object(
  {
    reason: reasonField,
    language: Type.String(),
    ...templateFields,
    is_own: Type.Boolean({ description: "The merchant's own text, in place of Recoup's." }),
  },
  {
    title: 'MessageTemplate',
    description: 'A text of one reason and language.',
    examples: [templateExample],
  },
);

export const messagesShape = Type.Object(
  {
    ...settingFields,
    sender: Type.Optional(Type.String({ description: mailboxText })),
    reply_to: Type.Optional(Type.String()),
    missing: Type.Array(Type.String(), {
      description: 'What is missing before messages can be switched on.',
    }),
    templates: Type.Array(templateShape, { description: 'Every text that is used.' }),
  },
  {
    title: 'MessageSettings',
    description: "How the merchant's customers are written to.",
    examples: [
      {
        on: true,
        sender: 'Acme <billing@acme.example>',
        time_zone: 'America/New_York',
        quiet_from: 20,
        quiet_until: 9,
        max_messages: 3,
        first_after_hours: 1,
        gap_hours: 72,
        holdout_share: 0.1,
        language: 'en',
        missing: [],
        templates: [templateExample],
      },
    ],
  },
);

export function messagesJson(view: MessagesView): Type.Static<typeof messagesShape> {
  const { settings, templates } = view;
  return present({
    on: settings.isOn,
    sender: settings.sender,
    reply_to: settings.replyTo,
    time_zone: settings.timeZone,
    quiet_from: settings.quietFrom,
    quiet_until: settings.quietUntil,
    max_messages: settings.maxMessages,
    first_after_hours: settings.firstAfterHours,
    gap_hours: settings.gapHours,
    holdout_share: settings.holdoutShare,
    language: settings.language,
    missing: [...view.missing],
    templates: [
      ...templates.map((each) => ({ ...each, is_own: true })),
      ...builtInTemplates
        .filter((each) => !templates.some((own) => isSame(own, each)))
        .map((each) => ({ ...each, is_own: false })),
    ],
  });
}

function isSame(one: NamedTemplate, other: NamedTemplate): boolean {
  return one.reason === other.reason && one.language === other.language;
}

import { chooseTemplate, type NamedTemplate } from '../../domain/messages/built-in-templates.ts';
import type { MessageSettings } from '../../domain/messages/message-settings.ts';
import {
  type MessageReason,
  type MessageTemplate,
  messageReason,
  renderTemplate,
} from '../../domain/messages/message-template.ts';
import { currencyExponent } from '../../domain/money.ts';
import {
  customerPageUrl,
  type SignCardLink,
  type SignCustomerLink,
} from '../customers/customer-link.ts';
import { whatHelps } from '../engine/customer-action.ts';
import type { DueCard } from './card-message-ports.ts';
import type { DueThread } from './message-ports.ts';

const stopWords: Readonly<Record<string, string>> = {
  en: 'No more messages like this:',
  de: 'Keine weiteren Nachrichten dieser Art:',
  es: 'No recibir más mensajes como este:',
  fr: 'Ne plus recevoir de tels messages :',
};

/** What a customer is told about a payment. */
export interface Written extends MessageTemplate {
  readonly reason: MessageReason;
  readonly language: string;
}

/** What a message is about, beside its words. */
export interface Subject {
  readonly merchantName: string;
  /** Absent: it is about a card. */
  readonly payment?: {
    readonly invoiceId: string;
    readonly amountMinor: number;
    readonly currency: string;
  };
  /** Until when the customer may act. */
  readonly until: Date;
  readonly timeZone: string;
  readonly link: string;
  readonly stopUrl: string;
}

/** The message of a thread, in the customer's language as far as there are texts in it. */
export function writeMessage(
  { signLink }: { readonly signLink: SignCustomerLink },
  thread: DueThread,
  input: { readonly page: string; readonly stopUrl: string },
): Written {
  const { merchantId, merchantName, invoiceId, settings, facts, decline, language } = thread;
  const { windowEndsAt } = facts.payment;
  const reason = messageReason(decline, whatHelps(decline));
  const languages = [language, settings.language].filter((tag) => tag !== undefined);
  return writeFrom(chooseTemplate(thread.templates, { reason, languages }), {
    merchantName,
    payment: thread,
    until: windowEndsAt,
    timeZone: facts.timeZone ?? settings.timeZone,
    link: customerPageUrl(input.page, signLink({ merchantId, invoiceId, endsAt: windowEndsAt })),
    stopUrl: input.stopUrl,
  });
}

/** A template as it is sent, with the line by which the customer stops messages below it. */
export function writeFrom(template: NamedTemplate, subject: Subject): Written {
  const { reason, language } = template;
  const { merchantName: merchant, payment, link } = subject;
  const rendered = renderTemplate(template, {
    merchant,
    link,
    until: dayText(subject.until, subject.timeZone, language),
    ...(payment !== undefined && {
      invoice_id: payment.invoiceId,
      amount: amountText(payment, language),
    }),
  });
  const words = stopWords[language.split('-')[0] ?? ''] ?? stopWords.en;
  const body = `${rendered.body.trimEnd()}\n\n--\n${words}\n${subject.stopUrl}\n`;
  return { subject: rendered.subject, body, reason, language };
}

function amountText(
  { amountMinor, currency }: NonNullable<Subject['payment']>,
  language: string,
): string {
  const exponent = currencyExponent(currency);
  const major = amountMinor / 10 ** exponent;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
  }).format(major);
}

function dayText(at: Date, timeZone: string, language: string): string {
  return new Intl.DateTimeFormat(language, { timeZone, day: 'numeric', month: 'long' }).format(at);
}

/** The message about a card, in the customer's language as far as there are texts in it. */
export function writeCardMessage(
  { signCardLink }: { readonly signCardLink: SignCardLink },
  card: DueCard,
  input: { readonly page: string; readonly stopUrl: string },
): Written {
  const { merchantId, merchantName, paymentMethodId, cardEndsAt, settings, facts, language } = card;
  const { renewsAt: endsAt } = facts;
  const languages = [language, settings.language].filter((tag) => tag !== undefined);
  const token = signCardLink({ merchantId, paymentMethodId, cardEndsAt, endsAt });
  return writeFrom(chooseTemplate(card.templates, { reason: 'card_expiring', languages }), {
    merchantName,
    until: endsAt,
    timeZone: facts.timeZone ?? settings.timeZone,
    link: customerPageUrl(input.page, token),
    stopUrl: input.stopUrl,
  });
}

/** The page that a test message leads to: the same for nobody. */
export function sampleSubject(
  merchantName: string,
  settings: Pick<MessageSettings, 'timeZone'>,
  input: { readonly page: string; readonly stopUrl: string; readonly at: Date },
): Subject {
  return {
    merchantName,
    payment: { invoiceId: 'in_test', amountMinor: 1223, currency: 'USD' },
    until: input.at,
    timeZone: settings.timeZone,
    link: customerPageUrl(input.page, 'test'),
    stopUrl: input.stopUrl,
  };
}

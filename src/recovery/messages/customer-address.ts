import { isEmailAddress, languageOf } from '../../domain/messages/message-settings.ts';
import type { PaymentEventBody } from '../../domain/payment-event.ts';
import { isTimeZone } from '../../domain/places/time-zone.ts';
import { present } from '../../domain/present.ts';

/** Where a customer is written to. */
export interface CustomerAddress {
  readonly merchantId: string;
  readonly customerId: string;
  readonly email: string;
  /** By which it is known without being opened. */
  readonly hash: string;
  readonly language?: string;
  readonly timeZone?: string;
  readonly at: Date;
}

/** As a report has it. */
export type ReportedAddress = Omit<CustomerAddress, 'hash'>;

export type HashAddress = (merchantId: string, email: string) => string;

/** Hashes of addresses, of each merchant its own: those of two merchants cannot be compared. */
export function addressHasher(hashCredential: (text: string) => string): HashAddress {
  return (merchantId, email) =>
    hashCredential(`customer address, v1\n${merchantId}\n${email.trim().toLowerCase()}`);
}

/**
 * What a report says of where its customer is written to, apart from the report, in which none of it is
 * kept. A language or a zone that there is none of is left out.
 */
export function takeAddress(body: PaymentEventBody): {
  readonly body: PaymentEventBody;
  readonly address?: Pick<CustomerAddress, 'email' | 'language' | 'timeZone'>;
} {
  const { email, language, time_zone: timeZone, ...customer } = body.customer;
  if (email === undefined && language === undefined && timeZone === undefined) return { body };
  const without = { ...body, customer };
  if (email === undefined || !isEmailAddress(email.trim())) return { body: without };
  return {
    body: without,
    address: {
      email: email.trim(),
      ...present({
        language: language === undefined ? undefined : languageOf(language),
        timeZone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined,
      }),
    },
  };
}

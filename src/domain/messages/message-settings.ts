/** How a merchant's customers are written to. Off until a merchant switches it on. */
export interface MessageSettings {
  readonly isOn: boolean;
  /** From, `Acme <billing@acme.example>`; absent: nothing can be sent. */
  readonly sender?: string;
  readonly replyTo?: string;
  /** IANA name of the zone of quiet hours, of customers whose own is not known. */
  readonly timeZone: string;
  /** Whole hours of the day, 0 to 23, between which nothing is sent; equal: there are none. */
  readonly quietFrom: number;
  readonly quietUntil: number;
  /** Messages about one payment, 1 to 10. */
  readonly maxMessages: number;
  /** Hours from the beginning of the wait to the first message, 0 to 720. */
  readonly firstAfterHours: number;
  /** Hours between two messages about one payment, 1 to 720. */
  readonly gapHours: number;
  /** Share of payments whose customers are never written to, to compare with; 0 to 0.5. */
  readonly holdoutShare: number;
  /** Of customers whose own is not known, such as `en`. */
  readonly language: string;
}

/** Of a merchant that has chosen nothing. Evenings and nights are quiet. */
export const defaultMessageSettings: MessageSettings = {
  isOn: false,
  timeZone: 'UTC',
  quietFrom: 20,
  quietUntil: 9,
  maxMessages: 3,
  firstAfterHours: 1,
  gapHours: 72,
  holdoutShare: 0.1,
  language: 'en',
};

/** The most that a merchant may set: messages of a payment, hours, a share, and characters of each text. */
export const messageLimits = {
  maxMessages: 10,
  hours: 720,
  holdoutShare: 0.5,
  subject: 150,
  body: 5_000,
  sender: 200,
} as const;

/** What a merchant has to have before customers are written to, and has not. */
export function missingForMessages(
  settings: MessageSettings,
  has: { readonly page: boolean; readonly mailServer: boolean; readonly address: boolean },
): readonly string[] {
  return [
    ...(settings.sender === undefined ? ['sender: whom messages are from'] : []),
    ...(has.page ? [] : ['customer_page_url: where messages send the customer']),
    ...(has.mailServer ? [] : ['SMTP_URL: what sends them']),
    ...(has.address ? [] : ['RECOVERY_URL: where customers stop them']),
  ];
}

/**
 * `name <local@domain>` or the address alone, of what a header line can hold. Before the @ stands what needs no
 * quotes (RFC 5322, atext; beyond ASCII RFC 6531): a mail library takes parentheses there for a comment and control
 * characters for nothing, and so writes to somebody else. A domain may be of any script.
 */
const mailbox =
  /^(?:(?<name>[^<>"\p{Cc}]{1,100}?) ?<)?(?<address>[^\s<>@,;:"()[\]\\\p{C}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}.-]{0,251}[\p{L}\p{N}\p{M}])?)>?$/u;

/** Whether a text is one mailbox: a name and an address, or an address. */
export function isMailbox(text: string): boolean {
  if (text.length > messageLimits.sender || !mailbox.test(text)) return false;
  return text.includes('<') === text.endsWith('>');
}

/**
 * A mailbox in its two parts, so that nobody reads them out of one text by rules of their own: by those of mail
 * headers `Acme (Germany)` has a comment, and `Acme: Billing` is a group.
 */
export function mailboxParts(text: string): { readonly name: string; readonly address: string } {
  const { name = '', address = text } = mailbox.exec(text)?.groups ?? {};
  return { name: name.trim(), address };
}

/** Whether a text is an address alone, as a customer's is. */
export function isEmailAddress(text: string): boolean {
  return !text.includes('<') && isMailbox(text);
}

/** A language tag as templates are kept by: `en`, `pt-BR`. */
export function isLanguage(text: string): boolean {
  return /^[a-z]{2,3}(?:-[A-Z]{2})?$/.test(text);
}

/**
 * The tag by which templates are looked for, of a language as programs name it (BCP 47, in any case; also with `_`):
 * `es-419` is `es`, `zh-Hant-TW` is `zh-TW`. Undefined for what names none.
 */
export function languageOf(text: string): string | undefined {
  try {
    const { language, region } = new Intl.Locale(text.trim().replaceAll('_', '-'));
    return [`${language}-${region}`, language].find(isLanguage);
  } catch {
    return undefined;
  }
}

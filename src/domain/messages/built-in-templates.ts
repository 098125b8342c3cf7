import {
  type DeclineReason,
  declineReasons,
  type MessageReason,
  type MessageTemplate,
} from './message-template.ts';

/** One language: the frame of a message, and what each reason says in it. */
interface Language {
  readonly subject: string;
  readonly begin: string;
  readonly end: string;
  readonly reasons: Readonly<Record<DeclineReason, string>>;
  /** Of a card that ends before it is charged again: nothing has failed yet. */
  readonly cardExpiring: MessageTemplate;
}

const languages: Readonly<Record<string, Language>> = {
  en: {
    subject: 'Your payment to {merchant} did not go through',
    begin: 'Hello,\n\nyour payment of {amount} to {merchant} did not go through.',
    end: 'It takes a minute here, until {until}:\n{link}\n\nThank you,\n{merchant}',
    reasons: {
      expired_card: 'The card has expired. Please give us a new one.',
      closed_card: 'The card cannot be used any more. Please give us another one.',
      card_details: 'The details of the card seem to be wrong. Please check them.',
      authentication: 'Your bank asks you to confirm the payment.',
      contact_bank: 'Your bank asks you to get in touch with it, or use another card.',
      insufficient_funds: 'There was not enough money in the account. Another card helps at once.',
      other: 'Please check your payment method, or use another one.',
    },
    cardExpiring: {
      subject: 'Your card for {merchant} expires soon',
      body: 'Hello,\n\nthe card that pays for your subscription with {merchant} expires at the end of this month. Please give us a new one, so that it goes on.\n\nIt takes a minute here, until {until}:\n{link}\n\nThank you,\n{merchant}',
    },
  },
  de: {
    subject: 'Ihre Zahlung an {merchant} ist nicht durchgegangen',
    begin: 'Guten Tag,\n\nIhre Zahlung über {amount} an {merchant} ist nicht durchgegangen.',
    end: 'Hier dauert es eine Minute, bis {until}:\n{link}\n\nVielen Dank,\n{merchant}',
    reasons: {
      expired_card: 'Die Karte ist abgelaufen. Bitte geben Sie uns eine neue.',
      closed_card: 'Die Karte kann nicht mehr belastet werden. Bitte geben Sie uns eine andere.',
      card_details: 'Die Angaben zur Karte scheinen falsch zu sein. Bitte prüfen Sie sie.',
      authentication: 'Ihre Bank bittet Sie, die Zahlung zu bestätigen.',
      contact_bank: 'Bitte sprechen Sie mit Ihrer Bank, oder nehmen Sie eine andere Karte.',
      insufficient_funds: 'Das Konto war nicht gedeckt. Mit einer anderen Karte geht es sofort.',
      other: 'Bitte prüfen Sie Ihre Zahlungsart, oder nehmen Sie eine andere.',
    },
    cardExpiring: {
      subject: 'Ihre Karte bei {merchant} läuft bald ab',
      body: 'Guten Tag,\n\ndie Karte, mit der Sie Ihr Abonnement bei {merchant} bezahlen, läuft Ende dieses Monats ab. Bitte geben Sie uns eine neue, damit es weitergeht.\n\nHier dauert es eine Minute, bis {until}:\n{link}\n\nVielen Dank,\n{merchant}',
    },
  },
  es: {
    subject: 'Su pago a {merchant} no se pudo realizar',
    begin: 'Hola:\n\nsu pago de {amount} a {merchant} no se pudo realizar.',
    end: 'Aquí se hace en un minuto, hasta el {until}:\n{link}\n\nGracias,\n{merchant}',
    reasons: {
      expired_card: 'La tarjeta ha caducado. Indíquenos una nueva, por favor.',
      closed_card: 'La tarjeta ya no se puede usar. Indíquenos otra, por favor.',
      card_details: 'Los datos de la tarjeta parecen incorrectos. Revíselos, por favor.',
      authentication: 'Su banco le pide que confirme el pago.',
      contact_bank: 'Hable con su banco, por favor, o use otra tarjeta.',
      insufficient_funds:
        'La cuenta no tenía saldo suficiente. Con otra tarjeta se paga al momento.',
      other: 'Revise su forma de pago, por favor, o use otra.',
    },
    cardExpiring: {
      subject: 'Su tarjeta en {merchant} caduca pronto',
      body: 'Hola:\n\nla tarjeta con la que paga su suscripción a {merchant} caduca a finales de este mes. Indíquenos una nueva, por favor, para que continúe.\n\nAquí se hace en un minuto, hasta el {until}:\n{link}\n\nGracias,\n{merchant}',
    },
  },
  fr: {
    subject: "Votre paiement à {merchant} n'a pas abouti",
    begin: "Bonjour,\n\nvotre paiement de {amount} à {merchant} n'a pas abouti.",
    end: 'Une minute suffit ici, avant le {until} :\n{link}\n\nMerci,\n{merchant}',
    reasons: {
      expired_card: 'La carte a expiré. Veuillez nous en indiquer une nouvelle.',
      closed_card: 'La carte ne peut plus être utilisée. Veuillez nous en indiquer une autre.',
      card_details: 'Les données de la carte semblent fausses. Veuillez les vérifier.',
      authentication: 'Votre banque vous demande de confirmer le paiement.',
      contact_bank: 'Veuillez contacter votre banque ou utiliser une autre carte.',
      insufficient_funds:
        "Le compte n'était pas assez approvisionné. Une autre carte convient aussitôt.",
      other: 'Veuillez vérifier votre moyen de paiement ou en utiliser un autre.',
    },
    cardExpiring: {
      subject: 'Votre carte chez {merchant} expire bientôt',
      body: 'Bonjour,\n\nla carte qui paie votre abonnement chez {merchant} expire à la fin de ce mois. Veuillez nous en indiquer une nouvelle, afin qu’il continue.\n\nUne minute suffit ici, avant le {until} :\n{link}\n\nMerci,\n{merchant}',
    },
  },
};

export const builtInLanguages = Object.keys(languages).sort();
const fallback = 'en';

export interface NamedTemplate extends MessageTemplate {
  readonly reason: MessageReason;
  readonly language: string;
}

/** Recoup's own texts, of each reason and language. */
export const builtInTemplates: readonly NamedTemplate[] = builtInLanguages.flatMap((language) =>
  textsOf(language),
);

function textsOf(language: string): readonly NamedTemplate[] {
  const texts = languages[language];
  if (texts === undefined) return [];
  const { subject, begin, end, reasons, cardExpiring } = texts;
  return [
    ...declineReasons.map((reason) => ({
      reason,
      language,
      subject,
      body: `${begin} ${reasons[reason]}\n\n${end}`,
    })),
    { reason: 'card_expiring', language, ...cardExpiring },
  ];
}

/**
 * The template of a reason, in the first of these languages that has one: the merchant's own before ours,
 * `pt-BR` before `pt`, and English where none has.
 */
export function chooseTemplate(
  own: readonly NamedTemplate[],
  input: { readonly reason: MessageReason; readonly languages: readonly string[] },
): NamedTemplate {
  const wanted = [...input.languages, fallback].flatMap((tag) => [tag, tag.split('-')[0] ?? tag]);
  for (const language of wanted) {
    for (const templates of [own, builtInTemplates]) {
      const found = templates.find(
        (each) => each.reason === input.reason && each.language === language,
      );
      if (found !== undefined) return found;
    }
  }
  throw new Error('English has a text for each reason');
}

import { Type } from 'typebox';

const sum = (description: string) =>
  Type.Object(
    { count: Type.Integer(), amount_minor: Type.Integer() },
    { title: 'StatedSum', description },
  );

const accountFields = {
  psp: Type.String(),
  connection_version: Type.Integer({
    description: 'Which of your accounts at this PSP: the first is 1. 0 where it is not known.',
  }),
  currency: Type.String({ description: 'Empty for incidents that have no amount.' }),
  attempts: sum('Charges that the PSP answered, declined ones among them.'),
  successes: sum('Charges that succeeded at the PSP.'),
  recovered: sum('Payments that were recovered.'),
  announced: sum('Successes that your webhook was or will be sent.'),
  refunds: sum('Refunds of incidents.'),
  incidents: sum('Incidents that were opened.'),
};

const eventFields = {
  created: Type.Integer(),
  delivered: Type.Integer(),
  pending: Type.Integer(),
  given_up: Type.Integer(),
};

const dayField = (description: string) =>
  Type.String({ description, pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

const hashField = (description: string) => Type.String({ description, pattern: '^[0-9a-f]{64}$' });

export const statementSchema = Type.Object(
  {
    version: Type.Integer({ description: 'The form of this statement.' }),
    merchant_id: Type.String(),
    day: dayField('The UTC day.'),
    previous_hash: hashField('The `hash` of the day before; zeros in your first statement.'),
    hash: hashField(
      'SHA-256, in hexadecimal, of this statement without `hash` as canonical JSON (RFC 8785).',
    ),
    accounts: Type.Array(Type.Object(accountFields, { title: 'StatedAccount' }), {
      description: 'One for each account and currency, of what happened on the day.',
    }),
    events: Type.Object(eventFields, {
      title: 'StatedEvents',
      description: "The day's events, by their state at its end.",
    }),
    corrections: Type.Object(
      {
        accounts: Type.Array(
          Type.Object(
            { day: dayField('The day that is corrected.'), ...accountFields },
            { title: 'AccountCorrection' },
          ),
        ),
        events: Type.Array(
          Type.Object(
            { day: dayField('The day on which the events were created.'), ...eventFields },
            { title: 'EventCorrection' },
          ),
        ),
      },
      {
        description:
          'What became known on the day of days before: to be added to their statements. Figures ' +
          'may be negative.',
      },
    ),
  },
  { title: 'Statement' },
);

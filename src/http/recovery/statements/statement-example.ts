const sum = (count: number, amount: number) => ({ count, amount_minor: amount });

/** A statement as the docs show it; a test holds its hash against its text. */
export const statementExample = {
  accounts: [
    {
      announced: sum(1, 1223),
      attempts: sum(3, 3669),
      connection_version: 1,
      currency: 'USD',
      incidents: sum(0, 0),
      psp: 'stripe',
      recovered: sum(1, 1223),
      refunds: sum(0, 0),
      successes: sum(1, 1223),
    },
  ],
  corrections: {
    accounts: [],
    events: [{ created: 0, day: '2026-06-05', delivered: 1, given_up: 0, pending: -1 }],
  },
  day: '2026-06-06',
  events: { created: 3, delivered: 3, given_up: 0, pending: 0 },
  merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
  previous_hash: '0000000000000000000000000000000000000000000000000000000000000000',
  version: 1,
  hash: '5750cafd09cff518d3aba438a8a792721267809e5f53b78f03dc47475e0a8979',
};

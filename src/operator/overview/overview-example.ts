const cohort = {
  payments: 40,
  amount: 1960,
  attempts: 71,
  open: { payments: 9, amount: 441 },
  recovered: { payments: 24, amount: 1176 },
  stopped: { payments: 3, amount: 147 },
  exhausted: { payments: 4, amount: 196 },
};

/** A week of one merchant with one class of declines, and one of its endpoints failing. */
export const overviewExample = {
  as_of: '2026-03-08T09:30:00.000Z',
  series_step: 'day',
  currencies: [
    {
      currency: 'USD',
      recovered: { payments: 26, amount: 1274 },
      recovered_before: { payments: 21, amount: 1029 },
      at_risk: { payments: 12, amount: 588 },
      cohort,
      funnel: [{ category: 'later', ...cohort }],
      verdict: {
        result: 'not_significant',
        learned_payments: 30,
        holdout_payments: 8,
        amount: { value: 61.2, low: -148.4, high: 270.1 },
        payments_needed: 870,
        rate: { value: 0.04, low: -0.1, high: 0.18 },
        rate_result: 'not_significant',
        rate_payments_needed: 930,
      },
      series: [{ at: '2026-03-07T00:00:00.000Z', payments: 4, amount: 196 }],
    },
  ],
  planned: [{ at: '2026-03-08T16:00:00.000Z', category: 'later', attempts: 3 }],
  network_pressure: {
    as_of: '2026-03-08T09:24:00.000Z',
    networks: [{ network: 'visa', near: 3, spent: 1 }],
  },
  alerts: [
    {
      kind: 'cards_near_limit',
      count: 3,
      spent: 1,
      network: 'visa',
      at: '2026-03-08T09:24:00.000Z',
    },
    {
      kind: 'endpoint_failing',
      count: 2,
      at: '2026-03-08T08:12:00.000Z',
      merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1',
      merchant_name: 'Acme',
    },
  ],
} as const;

/** A monitoring programme's limits: excessive is who reaches both, in one month. */
export interface ProgrammeLimits {
  readonly minItems: number;
  /** Hundredths of a percent. */
  readonly minRatioBps: number;
  /**
   * The first day, as an ISO date of UTC, and the first on which it no longer holds. Without them: from
   * before anything that Recoup counts, and until today.
   */
  readonly from?: string;
  readonly until?: string;
  readonly source: string;
}

export interface Programme {
  readonly id: 'visa_vamp' | 'mastercard_ecm' | 'mastercard_hecm';
  readonly network: 'visa' | 'mastercard';
  /** Visa counts a fraud report and the dispute that follows it: both are items. */
  readonly countsFraudReports: boolean;
  /** Whose settled charges the items are divided by. */
  readonly denominator: 'same_month' | 'month_before';
  readonly limits: readonly ProgrammeLimits[];
}

const checkout = 'Checkout.com help centre, VAMP, article 23330844282514';
const solidgate = 'docs.solidgate.com, Mastercard programmes';

/**
 * The programmes of merchants, by what PSPs print of them: the networks' own texts are not public. Visa's
 * figures are those of the United States, Canada, Europe and Asia Pacific. Latin America had 1.50 % from
 * the beginning; merchants of the Middle East and Africa are measured in another way.
 */
export const programmes: readonly Programme[] = [
  {
    id: 'visa_vamp',
    network: 'visa',
    countsFraudReports: true,
    denominator: 'same_month',
    limits: [
      // Live since then; until 2025-09-30 nobody was fined.
      {
        minItems: 1_500,
        minRatioBps: 220,
        from: '2025-04-01',
        until: '2026-04-01',
        source: checkout,
      },
      { minItems: 1_500, minRatioBps: 150, from: '2026-04-01', source: checkout },
    ],
  },
  {
    id: 'mastercard_ecm',
    network: 'mastercard',
    countsFraudReports: false,
    denominator: 'month_before',
    limits: [{ minItems: 100, minRatioBps: 150, source: solidgate }],
  },
  {
    id: 'mastercard_hecm',
    network: 'mastercard',
    countsFraudReports: false,
    denominator: 'month_before',
    limits: [{ minItems: 300, minRatioBps: 300, source: solidgate }],
  },
];

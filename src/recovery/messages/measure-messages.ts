import { present } from '../../domain/present.ts';
import type { MessageArm } from '../../policy/messages/when-to-tell.ts';
import { measureUplift } from '../admin/measure-uplift.ts';
import type { Figure, UpliftArm, UpliftGroup, Verdict } from '../uplift.ts';

/** Sums over the payments of one group of customers, of one arm and currency. */
export interface ArmSums {
  readonly currency: string;
  readonly arm: MessageArm;
  readonly group: number;
  readonly payments: number;
  readonly failedMinor: number;
  readonly recovered: number;
  readonly recoveredMinor: number;
  readonly open: number;
}

export interface MessageCounts {
  readonly sent: number;
  readonly bounced: number;
  readonly stopped: number;
}

export interface MessageArmReport {
  readonly payments: number;
  readonly open: number;
  readonly failedMinor: number;
  readonly recovered: number;
  readonly recoveredMinor: number;
  readonly recoveredRate?: Figure;
}

/** What messages bring in one currency: with them, without, and the difference. */
export interface MessageReport {
  readonly currency: string;
  readonly messages: MessageArmReport;
  readonly holdout: MessageArmReport;
  /** Absent where one of the two has no payment. Its `learned` are the payments with messages. */
  readonly verdict?: Verdict;
}

const none: MessageArmReport = {
  payments: 0,
  open: 0,
  failedMinor: 0,
  recovered: 0,
  recoveredMinor: 0,
};

/** The names that the one computation of uplifts has for the two. */
const asUplift: Readonly<Record<MessageArm, UpliftArm>> = {
  messages: 'learned',
  holdout: 'holdout',
};

/**
 * Recovered with messages and without, by the computation that the learned policy is measured by: the same
 * intervals over groups of payers, the same verdict.
 */
export function measureMessages(sums: readonly ArmSums[]): readonly MessageReport[] {
  const groups = sums.flatMap((each) => [groupOf(each, false), groupOf(each, true)]);
  return measureUplift(groups).parts.map(({ currency, arms, verdict }) => {
    const of = (arm: MessageArm): MessageArmReport => {
      const found = arms.find((each) => each.arm === asUplift[arm]);
      if (found === undefined) return none;
      const { payments, open, failedMinor, recovered, recoveredMinor } = found.sums;
      const rate = found.figures.recovered_rate;
      return {
        ...{ payments, open, failedMinor, recovered, recoveredMinor },
        ...present({ recoveredRate: rate }),
      };
    };
    return {
      currency,
      messages: of('messages'),
      holdout: of('holdout'),
      ...present({ verdict }),
    };
  });
}

function groupOf(sums: ArmSums, isCompared: boolean): UpliftGroup {
  const { arm, payments, recoveredMinor, ...rest } = sums;
  return {
    ...rest,
    arm: asUplift[arm],
    isCompared,
    dimension: 'all',
    part: '',
    payments,
    counted: payments,
    recoveredMinor,
    netMinor: recoveredMinor,
    paidOtherwise: 0,
    tries: 0,
    daysToRecovery: 0,
    feesMicros: 0,
    otherFees: 0,
  };
}

import { present } from '../../domain/present.ts';
import type { MessageArm } from '../../policy/messages/when-to-tell.ts';
import { measureUplift } from '../admin/measure-uplift.ts';
import type { Figure, UpliftArm, UpliftGroup, Verdict } from '../uplift.ts';

/** Sums over the payments of one group of customers, of one arm, currency and week. */
export interface ArmSums {
  readonly currency: string;
  /** In which they began to wait, by its first day; left out where all are of one time. */
  readonly week?: string;
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
  /** Absent where no week has payments of both. Its `learned` are the payments with messages. */
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
  const weightOf = comparison(sums);
  const groups = sums.flatMap((each) => {
    const weight = weightOf(each);
    const plain = groupOf(each, { isCompared: false, weight: 1 });
    return weight === undefined ? [plain] : [plain, groupOf(each, { isCompared: true, weight })];
  });
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

/**
 * How often the payments of sums count in the comparison; undefined where they are left out. As in the uplift report, of
 * each week that has payments of both, those held out count as often as there are others to each: after a change of
 * the holdout's share one of the two is younger, and so has recovered less.
 */
function comparison(sums: readonly ArmSums[]): (of: ArmSums) => number | undefined {
  const keyOf = ({ currency, week = '' }: ArmSums) => `${currency} ${week}`;
  const counts = new Map<string, Record<MessageArm, number>>();
  for (const each of sums) {
    const count = counts.get(keyOf(each)) ?? { messages: 0, holdout: 0 };
    count[each.arm] += each.payments;
    counts.set(keyOf(each), count);
  }
  return (of) => {
    const { messages, holdout } = counts.get(keyOf(of)) ?? { messages: 0, holdout: 0 };
    if (messages === 0 || holdout === 0) return undefined;
    return of.arm === 'holdout' ? messages / holdout : 1;
  };
}

function groupOf(
  sums: ArmSums,
  { isCompared, weight }: Pick<UpliftGroup, 'isCompared'> & { readonly weight: number },
): UpliftGroup {
  const { currency, arm, group, payments } = sums;
  const recoveredMinor = sums.recoveredMinor * weight;
  return {
    currency,
    group,
    arm: asUplift[arm],
    isCompared,
    dimension: 'all',
    part: '',
    payments: payments * weight,
    counted: payments,
    failedMinor: sums.failedMinor * weight,
    recovered: sums.recovered * weight,
    recoveredMinor,
    netMinor: recoveredMinor,
    open: sums.open * weight,
    paidOtherwise: 0,
    tries: 0,
    daysToRecovery: 0,
    feesMicros: 0,
    otherFees: 0,
  };
}

import { present } from '../../domain/present.ts';
import type { MessageArm } from '../../policy/messages/when-to-tell.ts';
import type { Figure, Verdict } from '../uplift.ts';
import { measureMessages } from './measure-messages.ts';

/** Cards of one group of customers, one arm and one week. */
export interface CardArmSums {
  readonly arm: MessageArm;
  readonly week?: string;
  readonly group: number;
  readonly cards: number;
  /** Replaced in time, or renewed all the same. */
  readonly kept: number;
  readonly open: number;
}

export interface CardArmReport {
  readonly cards: number;
  readonly open: number;
  readonly kept: number;
  readonly keptRate?: Figure;
}

/** What messages about expiring cards bring: with them, without, and the difference of the shares. */
export interface CardReport {
  readonly messages: CardArmReport;
  readonly holdout: CardArmReport;
  readonly verdict?: Pick<Verdict, 'result' | 'rate' | 'paymentsNeeded'>;
}

/**
 * By the computation that messages about payments are measured by, each card counting as one: there is no amount that
 * has failed yet. Undefined where there is no card.
 */
export function measureCardMessages(sums: readonly CardArmSums[]): CardReport | undefined {
  const [report] = measureMessages(
    sums.map(({ cards, kept, ...rest }) => ({
      ...rest,
      currency: 'cards',
      payments: cards,
      failedMinor: cards,
      recovered: kept,
      recoveredMinor: kept,
    })),
  );
  if (report === undefined) return undefined;
  const { messages, holdout, verdict } = report;
  return { messages: armOf(messages), holdout: armOf(holdout), ...present({ verdict }) };
}

function armOf({
  payments: cards,
  open,
  recovered: kept,
  recoveredRate: keptRate,
}: ReturnType<typeof measureMessages>[number]['messages']): CardArmReport {
  return { cards, open, kept, ...present({ keptRate }) };
}

import type { Static } from 'typebox';
import type { verdictShape } from '../operator/uplift/verdict-shape.ts';

type Verdict = Static<typeof verdictShape>;
type Result = Verdict['result'];

/**
 * What a verdict says, as the dashboard says it: of the money and of the recovery rate what the interval of each says, and
 * no more. `subject` is what is compared with its verb, `than` with what.
 */
export function verdictWords(
  verdict: Verdict,
  { subject, than }: { readonly subject: string; readonly than: string },
): string {
  const { result, rate_result: ofRate } = verdict;
  const payments = ofRate === 'less' ? 'fewer payments' : 'more payments';
  if (isSettled(result)) {
    if (result === ofRate) return `${subject} ${result}${than}`;
    const money = `${subject} ${result} money${than}`;
    if (isSettled(ofRate)) return `${money}, and ${payments}`;
    return `${money}; ${unsettledWords('the recovery rate', ofRate, verdict.rate_payments_needed)}`;
  }
  if (isSettled(ofRate)) {
    const rate = `${subject} ${payments}${than}`;
    return `${rate}; ${unsettledWords('the money', result, verdict.payments_needed)}`;
  }
  return result === 'too_few'
    ? 'too few payers to say'
    : `not significant yet${neededWords(verdict.payments_needed)}`;
}

function isSettled(result: Result): result is 'more' | 'less' {
  return result === 'more' || result === 'less';
}

function unsettledWords(what: string, result: Result, needed: number | undefined): string {
  return result === 'too_few'
    ? `too few payers to say so of ${what}`
    : `${what} does not differ significantly yet${neededWords(needed)}`;
}

function neededWords(needed: number | undefined): string {
  return needed === undefined ? '' : ` (needs about ${needed} more payments)`;
}

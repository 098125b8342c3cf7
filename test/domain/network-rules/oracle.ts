import type {
  CardAttempt,
  ProposedCharge,
} from '../../../src/domain/network-rules/card-attempt.ts';

/**
 * The rules once more, written as counting over minutes and plain lists, with the figures copied by
 * hand: whether a charge may be made. It knows nothing of the pack.
 */
export function mayCharge(history: readonly CardAttempt[], proposed: ProposedCharge): boolean {
  if (isHeldByIndia(history, proposed)) return false;
  switch (proposed.network) {
    case 'visa':
      return !hasVisaBan(history, proposed) && !isVisaFull(history, proposed);
    case 'mastercard':
      return (
        !hasMastercardAdvice(history, proposed) &&
        notApproved(history, proposed.at, 24) < mastercardDay(proposed) &&
        (day(proposed.at) < '2023-11-01' || notApproved(history, proposed.at, 720) < 35)
      );
    case 'amex':
    case 'discover':
      return (
        notApproved(history, proposed.at, 24) < 20 && notApproved(history, proposed.at, 720) < 20
      );
    case 'elo':
      return (
        history.filter((a) => a.outcome !== 'approved' && elo(a.at) >= elo(proposed.at)).length < 15
      );
    case 'sepa_debit':
      return mayRepresent(history, proposed, ['AM04', 'MS03']);
    case 'ach':
      return mayRepresent(history, proposed, ['R01', 'R09']);
    case 'unknown':
      return (
        !hasVisaBan(history, { ...proposed, network: 'visa' }) &&
        !alive(history, proposed).some((a) => ['03', '21', '22'].includes(a.adviceCode ?? '')) &&
        notApproved(history, proposed.at, 720) < 15 &&
        notApproved(history, proposed.at, 24) < (day(proposed.at) < '2022-10-01' ? 20 : 10)
      );
  }
}

const day = (at: Date): string => at.toISOString().slice(0, 10);
const hoursBetween = (a: Date, b: Date): number => (b.getTime() - a.getTime()) / 3_600_000;
const elo = (at: Date): string => new Date(at.getTime() - 3 * 3_600_000).toISOString().slice(0, 7);

function notApproved(history: readonly CardAttempt[], at: Date, hours: number): number {
  let count = 0;
  for (const attempt of history) {
    if (attempt.outcome !== 'approved' && hoursBetween(attempt.at, at) < hours) count += 1;
  }
  return count;
}

/** Declines of the card as it is now that no approval has refuted. */
function alive(history: readonly CardAttempt[], { renewedAt }: ProposedCharge): CardAttempt[] {
  const found: CardAttempt[] = [];
  for (const attempt of history) {
    if (attempt.outcome !== 'declined') continue;
    if (renewedAt !== undefined && attempt.at < renewedAt) continue;
    if (history.some((other) => other.outcome === 'approved' && other.at > attempt.at)) continue;
    found.push(attempt);
  }
  return found;
}

function hasVisaBan(history: readonly CardAttempt[], proposed: ProposedCharge): boolean {
  const always = ['04', '07', '12', '14', '15', '41', '43', '46', 'R0', 'R1', 'R3'];
  for (const { networkCode: code = '', adviceCode, at } of alive(history, proposed)) {
    if (always.includes(code)) return true;
    if (['03', '62', '78', '93'].includes(code) && day(at) < '2021-04-17') return true;
    if (code === '57' && !(day(at) >= '2025-10-01' && day(at) < '2026-10-25')) return true;
    if (adviceCode === '03' || adviceCode === '21') return true;
  }
  return false;
}

function isVisaFull(history: readonly CardAttempt[], proposed: ProposedCharge): boolean {
  if (day(proposed.at) < '2021-04-17') return false;
  const isApart = day(proposed.at) >= '2025-05-19';
  const line = history
    .filter((a) => a.credential === proposed.credential)
    .filter((a) => !isApart || a.initiator === proposed.initiator)
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  let open: Date | undefined;
  let used = 0;
  for (const attempt of line) {
    const isAgain = open !== undefined && hoursBetween(open, attempt.at) < 720;
    if (isAgain && hoursBetween(attempt.at, proposed.at) < 720) used += 1;
    open = attempt.outcome === 'approved' ? undefined : attempt.at;
  }
  if (open === undefined || hoursBetween(open, proposed.at) >= 720) return false;
  return used + 1 > (isApart ? 20 : 15);
}

function mastercardDay({ at, issuerCountry, acquirerCountry }: ProposedCharge): number {
  if (day(at) < '2022-10-01') return 20;
  const isBrazil = issuerCountry === 'BR' || acquirerCountry === 'BR';
  return isBrazil && day(at) >= '2023-02-01' ? 7 : 10;
}

function hasMastercardAdvice(history: readonly CardAttempt[], proposed: ProposedCharge): boolean {
  const waitHours: Record<string, number> = {
    '02': 72,
    '24': 1,
    '25': 24,
    '26': 48,
    '27': 96,
    '28': 144,
    '29': 192,
    '30': 240,
  };
  return alive(history, proposed).some(({ adviceCode = '', at }) => {
    if (['03', '21', '22', '40', '41'].includes(adviceCode)) return true;
    return hoursBetween(at, proposed.at) < (waitHours[adviceCode] ?? -Infinity);
  });
}

function mayRepresent(
  history: readonly CardAttempt[],
  proposed: ProposedCharge,
  reasons: readonly string[],
): boolean {
  const own = history.filter((a) => a.invoiceId === proposed.invoiceId);
  if (own.length === 0) return true;
  if (own.length > 2) return false;
  const last = own.reduce((latest, a) => (a.at >= latest.at ? a : latest));
  const { renewedAt = last.at } = proposed;
  if (last.outcome === 'declined' && last.at < renewedAt) return true;
  return last.outcome === 'approved' || reasons.includes(last.networkCode ?? '');
}

function isHeldByIndia(history: readonly CardAttempt[], proposed: ProposedCharge): boolean {
  if (proposed.issuerCountry !== 'IN' || proposed.initiator !== 'mit') return false;
  if (proposed.currency === 'INR' && proposed.amountMinor > 1_500_000) return true;
  return history.some(
    (a) => a.invoiceId === proposed.invoiceId && hoursBetween(a.at, proposed.at) < 24,
  );
}

import { present } from '../present.ts';
import type { Psp } from '../psps.ts';
import { truncatedText } from '../truncated-text.ts';
import { type Decline, type DeclineStatement, mayTryAgain } from './decline.ts';
import type { CardNetwork } from './decline-codes.ts';
import {
  adviceStatement,
  isApproval,
  networkCodeStatement,
  type Statement,
} from './network-statements.ts';
import { pspStatements } from './psp-statements.ts';

/** A decline as its sources give it; whatever a PSP does not pass on is left out. */
export interface DeclineSaid {
  readonly psp: Psp;
  readonly network?: CardNetwork;
  /** The network's response code, ISO 8583 DE 39. */
  readonly networkCode?: string;
  /** Mastercard's merchant advice code, or what else the network advises. */
  readonly adviceCode?: string;
  /** The PSP's own advice, such as Stripe's advice_code. */
  readonly pspAdvice?: string;
  /**
   * Stripe's decline_code, Adyen's refusalReasonCode, Braintree's processor_response_code,
   * Worldpay's raw code, Checkout.com's response_code.
   */
  readonly pspCode?: string;
  /** The PSP's coarse class, such as Braintree's processor_response_type or Adyen's resultCode. */
  readonly pspCategory?: string;
  /** The PSP's words. */
  readonly message?: string;
}

/**
 * What a decline means for the next try, whichever PSP it came from. The first source whose table
 * knows what was said decides: the network's advice, its response code, the PSP's advice, the PSP's
 * code, the PSP's class. One exception: where that would allow another try and the acquirer itself
 * blocks it (rows with `blocks`), the block decides, since the acquirer refuses the charge or the
 * network bills it, whatever the issuer said this time. A response code of approval comes with a
 * decline where the PSP itself refused after the issuer's yes; then the PSP's words decide.
 *
 * Answers for every text. What no table knows is `later`: Visa's category 4 ("every other decline")
 * allows it, tries stay within the limits of the policy, and a code that a PSP adds overnight must
 * not end every recovery that meets it.
 */
export function normaliseDecline(said: DeclineSaid): Decline {
  const statements = knownStatements(said);
  const [first] = statements;
  const block =
    first === undefined || mayTryAgain(first.category)
      ? statements.find((item) => item.isBlock === true)
      : undefined;
  const deciding = block ?? first;
  const { network, networkCode, adviceCode, message } = said;
  const waitMs = longestWait(deciding, first);
  return {
    category: deciding?.category ?? 'later',
    code: truncatedText(shownCode(said)),
    ...(message !== undefined && { message: truncatedText(message) }),
    ...present({ network }),
    ...(networkCode !== undefined && { networkCode: truncatedText(networkCode) }),
    ...(adviceCode !== undefined && { adviceCode: truncatedText(adviceCode) }),
    ...present({ waitMs }),
    ...(deciding !== undefined && {
      sources: [deciding, ...statements.filter((item) => item !== deciding)].map(plain),
    }),
  };
}

/** By precedence; a response code that says that the charge was approved explains nothing: last. */
function knownStatements(
  said: DeclineSaid,
): readonly (Statement & { readonly isBlock?: boolean })[] {
  const code = networkCodeStatement(said);
  const statements = isApproval(said)
    ? [adviceStatement(said), ...pspStatements(said), code]
    : [adviceStatement(said), code, ...pspStatements(said)];
  return statements.filter((item) => item !== undefined);
}

/** A block that only puts the next try off never shortens what the network asked for. */
function longestWait(
  deciding: Statement | undefined,
  first: Statement | undefined,
): number | undefined {
  if (deciding === undefined || !mayTryAgain(deciding.category)) return undefined;
  const longestMs = Math.max(deciding.waitMs ?? 0, first?.waitMs ?? 0);
  return longestMs > 0 ? longestMs : undefined;
}

function plain({ source, said, category }: DeclineStatement): DeclineStatement {
  return { source, said: truncatedText(said), category };
}

/** The PSP's own code, or the nearest to one that came. */
function shownCode(said: DeclineSaid): string {
  return (
    said.pspCode ??
    said.networkCode ??
    said.pspAdvice ??
    said.pspCategory ??
    said.adviceCode ??
    'unknown'
  );
}

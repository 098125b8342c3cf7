import { type Psp, pspFacts } from '../../psps.ts';
import {
  type ReadElement,
  readDeviceId,
  readEmail,
  readFingerprint,
  readIp,
  readLogin,
  readShippingAddress,
} from './element-formats.ts';
import { countedAs, type ElementName, elementLabels } from './elements.ts';
import { inheritable, ofMandateAlone } from './rule-sets.ts';
import type { EvidenceTransaction } from './transactions.ts';

export interface UsableElements {
  /** Comparable forms of what counts at the PSP. */
  readonly values: ReadonlyMap<ElementName, string>;
  /** What was captured and does not count, with the reason; no value is repeated. */
  readonly refused: readonly { readonly element: ElementName; readonly why: string }[];
}

/** What of a transaction's elements counts when its like is disputed at `psp`. */
export function usableElements(transaction: EvidenceTransaction, psp: Psp): UsableElements {
  const { elements: counted, notTaken } = pspFacts[psp].elements;
  const values = new Map<ElementName, string>();
  const refused: { element: ElementName; why: string }[] = [];
  for (const [element, read] of readAll(transaction, psp)) {
    const why = !counted.includes(countedAs(element))
      ? 'it counts at this PSP only as the login'
      : notTaken.includes(element)
        ? 'this PSP has no field for it'
        : (inheritanceFault(transaction, element) ??
          (read.kind === 'refused' ? read.why : undefined));
    if (why !== undefined) refused.push({ element, why });
    else if (read.kind === 'usable') values.set(element, read.comparable);
  }
  return { values, refused };
}

/** `IP address: it is not public (private use)`, for people. */
export function refusalMessage(refused: UsableElements['refused']): string {
  return refused.map(({ element, why }) => `${elementLabels[element]}: ${why}`).join('; ');
}

function readAll(
  { elements }: EvidenceTransaction,
  psp: Psp,
): readonly (readonly [ElementName, ReadElement])[] {
  const { ip, deviceId, deviceFingerprint, shippingAddress, email, emailIsLogin } = elements;
  const countsEmail = pspFacts[psp].elements.elements.includes('email');
  const login = elements.login ?? (emailIsLogin && !countsEmail ? email : undefined);
  const read: [ElementName, ReadElement][] = [];
  if (ip !== undefined) read.push(['ip', readIp(ip)]);
  if (deviceId !== undefined) read.push(['device_id', readDeviceId(deviceId, psp)]);
  if (deviceFingerprint !== undefined) {
    read.push(['device_fingerprint', readFingerprint(deviceFingerprint)]);
  }
  if (shippingAddress !== undefined) {
    read.push(['shipping_address', readShippingAddress(shippingAddress, psp)]);
  }
  if (login !== undefined) read.push(['login', readLogin(login, psp)]);
  // Where an e-mail does not count by itself, one that is the login has been read as that.
  if (email !== undefined && (countsEmail || !emailIsLogin)) read.push(['email', readEmail(email)]);
  return read;
}

function inheritanceFault(
  { elements, initiatedBy, isOtherMandate = false }: EvidenceTransaction,
  element: ElementName,
): string | undefined {
  const source: ElementName =
    element === 'login' && elements.login === undefined ? 'email' : element;
  if (!elements.inherited.includes(source)) return undefined;
  if (initiatedBy === 'customer') return 'the customer was present, so it has to be of this charge';
  if (!inheritable.has(source)) return 'it cannot be taken from an earlier charge';
  return isOtherMandate && ofMandateAlone.has(source)
    ? 'it was captured at another checkout than the one that began the subscription'
    : undefined;
}

import type { CountedElement, ElementName } from './elements.ts';

/** What a PSP asks for beyond the network's test. */
export interface PspElementSet {
  readonly elements: readonly CountedElement[];
  /** What the PSP has no field for, though the network would take it. */
  readonly notTaken: readonly ElementName[];
  /** Most characters that its fields take. */
  readonly maxLength: { readonly deviceId?: number; readonly login?: number };
  /** Whether an address needs its state or region too. */
  readonly wantsState: boolean;
  /** False where it finds the references itself. */
  readonly wantsReferences: boolean;
  /** Whether it takes only priors that it processed. */
  readonly ownPriorsOnly: boolean;
  /** Whether the dispute has to say if goods or services were sold. */
  readonly wantsKindOfGoods: boolean;
  /** Whether the descriptor has to be known; one that differs is refused everywhere. */
  readonly wantsDescriptor: boolean;
}

/** What Visa counts everywhere: an e-mail only as the login. */
export const visaElements: readonly CountedElement[] = [
  'ip',
  'device',
  'shipping_address',
  'login',
];

/** Of a PSP that asks for no more than the network does. */
export const networkElementSet: PspElementSet = {
  elements: visaElements,
  notTaken: [],
  maxLength: {},
  wantsState: false,
  wantsReferences: true,
  ownPriorsOnly: false,
  wantsKindOfGoods: false,
  wantsDescriptor: false,
};

import type { Psp } from '../../psps.ts';
import { type CountedElement, countedAs, type ElementName, elementNames } from './elements.ts';
import type { EvidenceTransaction } from './transactions.ts';
import { usableElements } from './usable-elements.ts';

/**
 * The elements that one transaction shares with another, one bit each, so that what three share is
 * one `&`. Ids and fingerprints keep bits of their own until they are counted: an id that one prior
 * shares and a fingerprint that the other one does are nothing that all three share.
 */
export type ElementBits = number;

/** Which usable elements of `other` are equal to those of `disputed`. */
export function sharedElements(
  disputed: ReadonlyMap<ElementName, string>,
  other: EvidenceTransaction,
  psp: Psp,
): ElementBits {
  const { values } = usableElements(other, psp);
  return elementNames.reduce((bits, name, index) => {
    const value = disputed.get(name);
    return value !== undefined && value === values.get(name) ? bits | (1 << index) : bits;
  }, 0);
}

/** The elements of the bits, in a fixed order. */
export function namesOf(bits: ElementBits): readonly ElementName[] {
  return elementNames.filter((_, index) => (bits & (1 << index)) !== 0);
}

/** What the bits count as, each element once, in a fixed order. */
export function countElements(bits: ElementBits): readonly CountedElement[] {
  return [...new Set(namesOf(bits).map(countedAs))];
}

/** Whether one of them is the IP address or the device, without which no pair counts. */
export function hasAnchor(elements: readonly CountedElement[]): boolean {
  return elements.includes('ip') || elements.includes('device');
}

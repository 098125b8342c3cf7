import { codeAwarePolicy } from './code-aware.ts';
import { fixedFamily } from './fixed-family.ts';
import type { SimulatedPolicy } from './observed.ts';
import { noRetries, randomPolicy } from './policies.ts';

const triesMost = 8;

/** Every policy that can be compared, for a window of so many days. */
export function knownPolicies(seed: number, windowDays: number): readonly SimulatedPolicy[] {
  return [
    noRetries,
    ...fixedFamily(windowDays),
    randomPolicy(seed, triesMost),
    codeAwarePolicy(triesMost),
  ];
}

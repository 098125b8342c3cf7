import { present } from '../../domain/present.ts';
import type { Planted } from '../planted/planted.ts';
import type { SeedInput } from '../world/run-seed.ts';
import type { FaultRig } from './fault-rig.ts';

/** Whether the checker saw a planted bug, and by which seed. */
export interface Proof {
  readonly name: string;
  readonly what: string;
  /** Absent where none of the seeds showed it. */
  readonly caught?: { readonly seed: number; readonly rules: readonly string[] };
}

export interface ProveInput extends Pick<SeedInput, 'days' | 'payments'> {
  readonly bugs: readonly Planted[];
  readonly maxSeeds: number;
  /** Where to begin: the seeds that are known to show each bug. */
  readonly firstSeeds?: Readonly<Record<string, number>>;
  readonly onProof?: (proof: Proof) => void;
}

/**
 * Plays seeds with each bug until a promise is broken that the same seed without it keeps. So a fault
 * of the service itself proves nothing.
 */
export async function provePlanted(rig: FaultRig, input: ProveInput): Promise<readonly Proof[]> {
  const world = { days: input.days, payments: input.payments };
  const sound = new Map<string, ReadonlySet<string>>();
  const proofs: Proof[] = [];

  async function brokenWithout(
    { name, change }: Planted,
    seed: number,
  ): Promise<ReadonlySet<string>> {
    const key = change === undefined ? `${seed}` : `${seed} ${name}`;
    const known = sound.get(key);
    if (known !== undefined) return known;
    const { violations } = await rig.run({ ...world, seed, ...present({ change }) });
    const rules = new Set(violations.map(({ rule }) => rule));
    sound.set(key, rules);
    return rules;
  }

  async function prove(planted: Planted): Promise<Proof> {
    const { name, what } = planted;
    const first = input.firstSeeds?.[name] ?? 1;
    for (let seed = first; seed < first + input.maxSeeds; seed += 1) {
      const { violations } = await rig.run({ ...world, seed, planted });
      if (violations.length === 0) continue;
      const before = await brokenWithout(planted, seed);
      const rules = [...new Set(violations.map(({ rule }) => rule))].filter(
        (rule) => !before.has(rule),
      );
      if (rules.length > 0) return { name, what, caught: { seed, rules } };
    }
    return { name, what };
  }

  for (const planted of input.bugs) {
    const proof = await prove(planted);
    proofs.push(proof);
    input.onProof?.(proof);
  }
  return proofs;
}

import { present } from '../../domain/present.ts';
import type { Planted } from '../planted/planted.ts';
import type { SeedInput } from '../world/run-seed.ts';
import type { FaultRig } from './fault-rig.ts';

/** A world, and the seed that is played in it. */
export type PlayedSeed = Pick<SeedInput, 'seed' | 'days' | 'payments'>;

/** Whether the checker saw a planted bug, and by which seed. */
export interface Proof {
  readonly name: string;
  readonly what: string;
  /** Absent where none of the seeds showed it. */
  readonly caught?: PlayedSeed & { readonly rules: readonly string[] };
}

export interface ProveInput extends Pick<SeedInput, 'days' | 'payments'> {
  readonly bugs: readonly Planted[];
  /** Played in the world of `days` and `payments`, from 1 on, where no known seed shows a bug. */
  readonly maxSeeds: number;
  /** Those that are known to show each bug, each in its own world: played first. */
  readonly knownSeeds?: Readonly<Record<string, PlayedSeed>>;
  readonly onProof?: (proof: Proof) => void;
}

/**
 * Plays seeds with each bug until a promise is broken that the same seed without it keeps. So a fault
 * of the service itself proves nothing.
 */
export async function provePlanted(rig: FaultRig, input: ProveInput): Promise<readonly Proof[]> {
  const sound = new Map<string, ReadonlySet<string>>();
  const proofs: Proof[] = [];

  async function brokenWithout(
    { name, change }: Planted,
    played: PlayedSeed,
  ): Promise<ReadonlySet<string>> {
    const key = JSON.stringify([played, change === undefined ? '' : name]);
    const known = sound.get(key);
    if (known !== undefined) return known;
    const { violations } = await rig.run({ ...played, ...present({ change }) });
    const rules = new Set(violations.map(({ rule }) => rule));
    sound.set(key, rules);
    return rules;
  }

  async function prove(planted: Planted): Promise<Proof> {
    const { name, what } = planted;
    for (const played of seedsOf(input, planted)) {
      const { violations } = await rig.run({ ...played, planted, stopsWhenBroken: true });
      if (violations.length === 0) continue;
      const before = await brokenWithout(planted, played);
      const rules = [...new Set(violations.map(({ rule }) => rule))].filter(
        (rule) => !before.has(rule),
      );
      if (rules.length > 0) return { name, what, caught: { ...played, rules } };
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

function seedsOf(input: ProveInput, { name }: Planted): readonly PlayedSeed[] {
  const { days, payments, maxSeeds } = input;
  const known = input.knownSeeds?.[name];
  const others = Array.from({ length: maxSeeds }, (_, index) => ({
    seed: index + 1,
    days,
    payments,
  }));
  return known === undefined ? others : [known, ...others];
}

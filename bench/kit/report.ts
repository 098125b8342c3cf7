import { median } from './statistics.ts';

export interface Rounds {
  readonly floors: readonly number[];
  readonly subjects: readonly number[];
}

const roundsOfEach = 5;

/** Measures floor and subject in turns, so that both meet the same moods of the machine. */
export async function inRounds(of: {
  readonly floor: () => Promise<number>;
  readonly subject: () => Promise<number>;
}): Promise<Rounds> {
  const floors: number[] = [];
  const subjects: number[] = [];
  for (let round = 0; round < roundsOfEach; round += 1) {
    floors.push(await of.floor());
    subjects.push(await of.subject());
  }
  return { floors, subjects };
}

/** Prints the medians, and the ratio of the subject to its floor beside what is asked of it. */
export function report(
  name: string,
  result: Rounds & { readonly unit: string; readonly budget: number },
): void {
  const [floor, subject] = [median(result.floors), median(result.subjects)];
  const ratio = subject / floor;
  const verdict = ratio >= result.budget ? 'kept' : 'missed';
  process.stdout.write(
    `${name}: ${subject.toFixed(0)} ${result.unit}, floor ${floor.toFixed(0)}: ` +
      `ratio ${ratio.toFixed(2)} (budget ${result.budget}: ${verdict})\n` +
      `  rounds ${result.subjects.map((value) => value.toFixed(0)).join(' ')}; ` +
      `floor ${result.floors.map((value) => value.toFixed(0)).join(' ')}\n`,
  );
}

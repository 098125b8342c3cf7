import type { Round } from './round.ts';
import { median } from './statistics.ts';

export interface Rounds {
  readonly floors: readonly Round[];
  readonly subjects: readonly Round[];
}

const roundsOfEach = 5;

/** Measures floor and subject in turns, so that both meet the same moods of the machine. */
export async function inRounds(of: {
  readonly floor: () => Promise<Round>;
  readonly subject: () => Promise<Round>;
}): Promise<Rounds> {
  const floors: Round[] = [];
  const subjects: Round[] = [];
  for (let round = 0; round < roundsOfEach; round += 1) {
    floors.push(await of.floor());
    subjects.push(await of.subject());
  }
  return { floors, subjects };
}

/**
 * Prints the medians, the ratio of the subject to its floor beside what is asked of it, and where
 * the CPU time of one operation went.
 */
export function report(name: string, result: Rounds & { readonly budget: number }): void {
  const { floors, subjects, budget } = result;
  const [floor, subject] = [median(rates(floors)), median(rates(subjects))];
  const ratio = subject / floor;
  print(
    `${name}: ${subject.toFixed(0)} per second, floor ${floor.toFixed(0)}: ` +
      `ratio ${ratio.toFixed(2)} (budget ${budget}: ${ratio >= budget ? 'kept' : 'missed'})`,
  );
  print(`  rounds ${asText(rates(subjects))}; floor ${asText(rates(floors))}`);
  print(`  CPU of one, in microseconds: ${cpuAsText(subjects)}; floor: ${cpuAsText(floors)}`);
}

/** Prints one line. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function rates(rounds: readonly Round[]): readonly number[] {
  return rounds.map((round) => round.perSecond);
}

function asText(values: readonly number[]): string {
  return values.map((value) => value.toFixed(0)).join(' ');
}

function cpuAsText(rounds: readonly Round[]): string {
  const names = Object.keys(rounds[0]?.cpuUs ?? {});
  const parts = names.map((name) => {
    const values = rounds.flatMap((round) => round.cpuUs[name] ?? []);
    return `${name} ${median(values).toFixed(0)}`;
  });
  return parts.length === 0 ? 'not told' : parts.join(', ');
}

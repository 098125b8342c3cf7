import { addMs, dayMs } from '../../clock.ts';
import { type Psp, pspFacts } from '../../psps.ts';
import { commonAnswerDays } from './answer-days.ts';
import type { DisputeNetwork } from './dispute-network.ts';
import type { DisputeStage, DisputeState } from './dispute-state.ts';
import { utcDaysBetween } from './utc-days.ts';

/** When an answer is due, and who says so. */
export interface RespondBy {
  readonly at: Date;
  readonly source: string;
  /** False where it is reckoned from a table: the PSP's own date may be another one. */
  readonly isPspsOwn: boolean;
}

/**
 * The PSP's own field where it has one, else the least of the days that sources name for the PSP, the
 * network and the stage, from the start of the stage. Undefined where no answer is awaited, or no
 * source has a figure.
 */
export function respondBy(input: {
  psp: Psp;
  state: DisputeState;
  network?: DisputeNetwork;
  stageBegunAt: Date;
  pspDeadline?: Date;
}): RespondBy | undefined {
  const { psp, state, network, stageBegunAt, pspDeadline } = input;
  if (state.kind === 'fraud_warning' || state.status !== 'needs_response') return undefined;
  if (pspDeadline !== undefined) {
    const source = `${psp}: ${pspFacts[psp].deadlineField ?? 'its own date'}`;
    return { at: pspDeadline, source, isPspsOwn: true };
  }
  const known = daysFor(psp, state.stage, network).toSorted((a, b) => a.days - b.days)[0];
  if (known === undefined) return undefined;
  const at = addMs(stageBegunAt, known.days * dayMs);
  return { at, source: known.source, isPspsOwn: false };
}

/** Whole UTC days until the deadline; 0 on its day, negative when it is past. */
export function daysLeft(deadline: Date, now: Date): number {
  return utcDaysBetween(now, deadline);
}

interface KnownDays {
  readonly days: number;
  readonly source: string;
}

function daysFor(
  psp: Psp,
  stage: DisputeStage,
  network: DisputeNetwork | undefined,
): readonly KnownDays[] {
  const said = pspFacts[psp].answerDays[stage] ?? commonAnswerDays[stage] ?? [];
  return said.flatMap(({ days, source }) => {
    const min = typeof days === 'number' ? days : network && days[network];
    return min === undefined ? [] : [{ days: min, source }];
  });
}

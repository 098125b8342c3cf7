import { addMs, dayMs, minuteMs } from '../../domain/clock.ts';
import type { KeyRotation } from '../keys/key-ports.ts';
import type { MoveAtWork } from './checkup-ports.ts';
import type { Finding } from './finding.ts';

/** What operators have begun, and what stands still of it. */

/** A page of a rotation takes seconds. */
const rotationStandsAfterMs = minuteMs;
/** Rows of merchants that have moved are to be gone within a day. */
const clearWithinMs = dayMs;

/** A rotation that nobody goes on with; nothing where there is none. */
export function rotationFindings(rotation: KeyRotation | undefined, now: Date): readonly Finding[] {
  if (rotation?.state !== 'running') return [];
  if (rotation.updatedAt >= addMs(now, -rotationStandsAfterMs)) return [];
  const { keyId, rewrapped, updatedAt } = rotation;
  return [
    {
      check: 'encryption_key',
      verdict: 'warning',
      found: `The rotation to ${keyId} has made no progress since ${updatedAt.toISOString()}, with ${rewrapped} keys rewrapped.`,
      action:
        'Start every worker with that key as ENCRYPTION_KEY and the others in OTHER_ENCRYPTION_KEYS, then run recoup keys rotate again.',
    },
  ];
}

/** Merchants that are on their way to another cell while nobody moves them, and what is left of those that have moved. */
export function moveFindings(moves: readonly MoveAtWork[], now: Date): readonly Finding[] {
  const halted = moves.filter(({ movedAt, isMoving }) => movedAt === undefined && !isMoving);
  const clearBefore = addMs(now, -clearWithinMs);
  const left = moves.filter(({ movedAt }) => movedAt !== undefined && movedAt < clearBefore);
  const findings = [...halted.map(haltedFinding), ...left.map(leftFinding)];
  if (findings.length > 0) return findings;
  return [{ check: 'moves', verdict: 'good', found: 'No move to another cell is waiting.' }];
}

function haltedFinding({ merchantId, toCell, state, begunAt }: MoveAtWork): Finding {
  const isClosed = state !== 'draining';
  const effect = isClosed ? 'its calls are answered 503' : 'none of its due work is done';
  return {
    check: 'moves',
    verdict: isClosed ? 'bad' : 'warning',
    found: `Its move to ${toCell === '' ? 'another Recoup' : toCell} was begun at ${begunAt.toISOString()}, and no command is continuing it: ${effect}.`,
    action:
      'Run recoup merchants move again to continue it, or with --back to take it back, which is possible before the switch.',
    merchantId,
  };
}

function leftFinding({ merchantId, movedAt }: MoveAtWork): Finding {
  return {
    check: 'moves',
    verdict: 'warning',
    found: `It moved away at ${movedAt?.toISOString()}, but its rows are still here: data erased in the other cell is not erased here.`,
    action: 'Take a backup of the other cell, then run recoup merchants move --clear.',
    merchantId,
  };
}

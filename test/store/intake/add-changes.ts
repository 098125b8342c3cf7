import type { ReportedChanges } from '../../../src/recovery/intake-ports.ts';
import type { EngineWorld } from '../../kits/engine.ts';

/** Applies what reports say, of which the test names what matters. */
export function addChanges(world: EngineWorld, change: Partial<ReportedChanges>) {
  return world.deps.requestLog.add({
    transactions: [],
    methods: [],
    cards: [],
    updates: [],
    failed: [],
    paid: [],
    reportedAs: [],
    learned: [],
    at: world.clock.now(),
    ...change,
  });
}

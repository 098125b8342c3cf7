import type { PolicyModel } from '../../policy/learned/policy-model.ts';
import type { ChargeInput } from '../../psp/sandbox/server/charge-input.ts';
import type { Verdict } from '../../psp/sandbox/server/outcomes.ts';

/** A simulated world around the sandbox: it answers charges, and time goes in its steps. */
export interface SimulatedOutside {
  /** What the issuer says of a charge at an instant, instead of what the method's id asks for. */
  decide(charge: ChargeInput, at: Date): Verdict;
  /** Time jumps to the end of such a stretch, so that all that is due in it is done together. */
  clockGrainMs(): number;
  /** Whether a job comes round in this world; one that it has no use for only takes time. */
  hasJob(name: string): boolean;
  /** What becomes of each trained model: to see what the service does with wrong ones. */
  readonly spoil?: (model: PolicyModel) => PolicyModel;
}

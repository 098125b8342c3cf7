import type { Fault } from '../domain/json/fault.ts';

/** A request that was read and found wrong; answered with 400 and every fault. */
export class InvalidRequest extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(`The request is not valid: ${faults.map((fault) => fault.at).join(', ')}`);
    this.name = 'InvalidRequest';
    this.faults = faults;
  }
}

/** Throws InvalidRequest when there is a fault. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw new InvalidRequest(faults);
}

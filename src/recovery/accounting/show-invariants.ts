import type { Clock } from '../../domain/clock.ts';
import type {
  CheckStore,
  ControlReport,
  ControlStore,
  InvariantsReport,
  InvariantView,
} from './accounting-ports.ts';

/** The promises that the control totals show at any moment, with the keys that break them. */
export function controlPromises(control: ControlReport): readonly InvariantView[] {
  return [
    {
      name: 'successes_agree',
      promise:
        'What was charged, what was recovered and what webhooks told of it are the same, by account, ' +
        'currency and day.',
      breaches: control.moneyDiffers,
    },
    {
      name: 'events_are_accounted',
      promise: 'Every webhook is delivered, pending or given up, by merchant and day.',
      breaches: control.eventsDiffer,
    },
  ];
}

/** Brings the totals up to date and says what holds: they as of now, the rest as of the last check. */
export async function showInvariants(deps: {
  readonly clock: Clock;
  readonly control: ControlStore;
  readonly checks: Pick<CheckStore, 'read'>;
}): Promise<InvariantsReport> {
  await deps.control.fold({ at: deps.clock.now() });
  return readInvariants(deps);
}

/** The same as the totals were last brought up to date, for whoever asks each few seconds. */
export async function readInvariants(deps: {
  readonly control: Pick<ControlStore, 'read'>;
  readonly checks: Pick<CheckStore, 'read'>;
}): Promise<InvariantsReport> {
  const control = await deps.control.read();
  const checks = await deps.checks.read();
  const items = [...controlPromises(control), ...(checks.lastCheck?.items ?? [])];
  return { items, control, ...checks };
}

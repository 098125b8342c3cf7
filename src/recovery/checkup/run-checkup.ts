import { addMs, type Clock, dayMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { maxRetryAfterMs } from '../../domain/limits.ts';
import type { CheckupPorts } from './checkup-ports.ts';
import { type CheckName, checkNames, type Finding } from './finding.ts';
import {
  deliveryFindings,
  endpointFindings,
  pspFindings,
  unansweredFindings,
} from './merchant-findings.ts';
import {
  databaseFindings,
  diskFinding,
  invariantFinding,
  lateAfterMs,
  lateFinding,
  processFindings,
  unresolvedFinding,
} from './service-findings.ts';
import { moveFindings, rotationFindings } from './upkeep-findings.ts';

export interface CheckupDeps {
  readonly ports: CheckupPorts;
  readonly clock: Clock;
}

/** Merchants whose servers and processors one check-up calls. */
const maxMerchants = 100;
/** Merchants that are looked at together. */
const merchantsAtOnce = 10;
const exhaustedWithinMs = 7 * dayMs;
/** Failed tries in a row, over more than half an hour, that are no passing fault of a merchant's server. */
const unansweredTries = 4;

/**
 * Looks at everything that keeps a deployment from working. It changes nothing, moves no money and
 * sends no merchant a request; what cannot be looked at is a finding itself.
 */
export async function runCheckup({ ports, clock }: CheckupDeps): Promise<readonly Finding[]> {
  const now = clock.now();
  const found = await Promise.all([
    look('database', async () => databaseFindings(await ports.readDatabase())),
    look('clock', async () => processFindings(await ports.listProcessClocks())),
    look('encryption_key', async () => {
      await ports.verifyEncryptionKey();
      const words = 'The stored secrets can be decrypted with the encryption key.';
      const stands = rotationFindings(await ports.findRotation(), now);
      return [{ check: 'encryption_key', verdict: 'good', found: words }, ...stands];
    }),
    look('disk', async () => [diskFinding(await ports.readDisk())]),
    look('invariants', async () => [invariantFinding(await ports.checkInvariants())]),
    look('late_work', async () => [lateFinding(await ports.listLate(addMs(now, -lateAfterMs)))]),
    look('moves', async () => moveFindings(await ports.listMoves(), now)),
    look('unknown_charges', async () => [unresolvedFinding(await ports.countUnresolved())]),
    look('deliveries', async () =>
      deliveryFindings(await ports.listFailingDeliveries(addMs(now, -exhaustedWithinMs))),
    ),
    look('endpoint', async () => {
      const dueBy = addMs(now, maxRetryAfterMs);
      return unansweredFindings(await ports.listUnanswered({ dueBy, tries: unansweredTries }));
    }),
    look('endpoint', () => lookAtMerchants(ports)),
  ]);
  return found.flat().sort((a, b) => checkNames.indexOf(a.check) - checkNames.indexOf(b.check));
}

async function lookAtMerchants(ports: CheckupPorts): Promise<readonly Finding[]> {
  const merchants = await ports.listMerchants(maxMerchants);
  const findings: Finding[] = [];
  for (let first = 0; first < merchants.length; first += merchantsAtOnce) {
    const batch = merchants.slice(first, first + merchantsAtOnce);
    const found = await Promise.all(
      batch.flatMap((merchant) => [
        look('endpoint', () => endpointFindings(ports, merchant)),
        look('psp', () => pspFindings(ports, merchant)),
      ]),
    );
    findings.push(...found.flat());
  }
  return findings;
}

async function look(
  check: CheckName,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await work();
  } catch (error) {
    if (
      check !== 'database' &&
      error instanceof AppError &&
      error.code === 'database_unreachable'
    ) {
      const found = 'This could not be checked, since the database does not answer.';
      return [{ check, verdict: 'bad', found, action: 'Check again when it does.' }];
    }
    // Only our own words: others' may quote what was asked.
    const found = error instanceof AppError ? error.message : 'This could not be checked.';
    const action = 'Read the log of the service.';
    return [{ check, verdict: 'bad', found, action }];
  }
}

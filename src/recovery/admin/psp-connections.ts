import { AppError } from '../../domain/errors.ts';
import type { Psp } from '../../domain/psps.ts';
import type { PspConnectionKey } from '../engine/deps.ts';
import type { PspConnection, PspConnectionView, SupportedPsps } from '../operator-api.ts';
import type { PspGateway } from '../psp-ports.ts';
import { pspFaults } from './check-psps.ts';
import type { CredentialDeps } from './credentials.ts';
import type { OperatorReports } from './ports.ts';

export interface TestPspDeps {
  readonly supportedPsps: SupportedPsps;
  /** A gateway with credentials that are not kept yet; undefined for a PSP that is not supported. */
  readonly openGateway: (connection: PspConnection) => PspGateway | undefined;
}

export interface PspConnectionDeps extends TestPspDeps, CredentialDeps {
  /** A gateway with the credentials that are kept. */
  readonly findGateway: (key: PspConnectionKey) => Promise<PspGateway | undefined>;
  readonly reports: Pick<OperatorReports, 'noteAct'>;
}

/**
 * Connects a PSP after it has been asked about the credentials. Those that it refuses are not kept;
 * when it cannot be reached they are, and the answer says that they were not tested.
 *
 * @throws AppError invalid_request, psp_credentials_refused
 */
export async function connectPsp(
  deps: PspConnectionDeps,
  input: { readonly merchantId: string; readonly connection: PspConnection },
): Promise<PspConnectionView | undefined> {
  const { merchantId, connection } = input;
  const faults = pspFaults([connection], deps.supportedPsps);
  if (faults.length > 0) throw new AppError('invalid_request', faults.join(' '));
  if ((await deps.store.findMerchant(merchantId)) === undefined) return undefined;
  const check = await testCredentials(deps, connection);
  const checkedAt = deps.clock.now();
  const outcome = await deps.store.connectPsp({
    merchantId,
    connection,
    audit: {
      action: 'psp.connected',
      detail: { psp: connection.psp, tested: check.kind },
      at: checkedAt,
    },
  });
  if (outcome === 'no_merchant') return undefined;
  deps.directory.forget(merchantId);
  return { psp: connection.psp, check, checkedAt };
}

/** Asks the PSP about the credentials that are kept; undefined where there is no connection. */
export async function testPsp(
  deps: PspConnectionDeps,
  key: PspConnectionKey,
): Promise<PspConnectionView | undefined> {
  const gateway = await deps.findGateway(key);
  if (gateway === undefined) return undefined;
  const check = await gateway.checkCredentials();
  const { psp, merchantId } = key;
  const checkedAt = deps.clock.now();
  const audit = { action: 'psp.tested', detail: { psp, tested: check.kind }, at: checkedAt };
  await deps.reports.noteAct({ merchantId, audit });
  return { psp, check, checkedAt };
}

/**
 * Removes a connection with its credentials. Payments that were to be charged there are postponed
 * until it is connected again, or their window ends.
 *
 * @throws AppError conflict for the last connection
 */
export async function disconnectPsp(
  deps: PspConnectionDeps,
  input: { readonly merchantId: string; readonly psp: Psp },
): Promise<boolean> {
  const { merchantId, psp } = input;
  const at = deps.clock.now();
  const audit = { action: 'psp.disconnected', detail: { psp }, at };
  const outcome = await deps.store.disconnectPsp({ merchantId, psp, audit });
  switch (outcome) {
    case 'not_there':
      return false;
    case 'last_connection':
      throw new AppError('conflict', `${psp} is the merchant's last connection.`);
    case 'disconnected':
      deps.directory.forget(merchantId);
      return true;
  }
}

/** @throws AppError psp_credentials_refused */
export async function refuseBadCredentials(
  deps: TestPspDeps,
  connections: readonly PspConnection[],
): Promise<void> {
  for (const connection of connections) {
    if (Object.keys(connection.credentials).length > 0) await testCredentials(deps, connection);
  }
}

async function testCredentials(deps: TestPspDeps, connection: PspConnection) {
  const gateway = deps.openGateway(connection);
  if (gateway === undefined) {
    throw new AppError('invalid_request', `${connection.psp} is not supported.`);
  }
  const check = await gateway.checkCredentials();
  if (check.kind === 'refused') {
    throw new AppError('psp_credentials_refused', `${connection.psp} says: ${check.reason}`);
  }
  return check;
}

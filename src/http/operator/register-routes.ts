import type { FastifyInstance } from 'fastify';
import { authorize } from './authorize.ts';
import { issueCredential } from './credentials/issue-credential.ts';
import { listCredentials } from './credentials/list-credentials.ts';
import { revokeCredential } from './credentials/revoke-credential.ts';
import { rotateCredential } from './credentials/rotate-credential.ts';
import { listDeliveries } from './deliveries/list-deliveries.ts';
import { replayDelivery } from './deliveries/replay-delivery.ts';
import { replayExhausted } from './deliveries/replay-exhausted.ts';
import { listDisputes } from './disputes/list-disputes.ts';
import { listFees } from './fees/list-fees.ts';
import { changeMerchant } from './merchants/change-merchant.ts';
import { createMerchant } from './merchants/create-merchant.ts';
import { listMerchants } from './merchants/list-merchants.ts';
import { showMerchant } from './merchants/show-merchant.ts';
import type { OperatorDeps } from './operator-deps.ts';
import { listPayments } from './payments/list-payments.ts';
import { retryPayment } from './payments/retry-payment.ts';
import { showPayment } from './payments/show-payment.ts';
import { stopPayment } from './payments/stop-payment.ts';
import { listPspEvents } from './psp-events/list-psp-events.ts';
import { connectPsp } from './psps/connect-psp.ts';
import { disconnectPsp } from './psps/disconnect-psp.ts';
import { listPsps } from './psps/list-psps.ts';
import { testPsp } from './psps/test-psp.ts';
import { moveClock } from './sandbox/move-clock.ts';
import { showClock } from './sandbox/show-clock.ts';
import { listInvariants } from './service/list-invariants.ts';
import { metrics } from './service/metrics.ts';
import { probes } from './service/probes.ts';
import { listUnknownCharges } from './unknown-charges/list-unknown-charges.ts';
import { settleUnknownCharge } from './unknown-charges/settle-unknown-charge.ts';

/** Adds one route, or two that belong together, to a server. */
export type Route = (server: FastifyInstance, deps: OperatorDeps) => void;

const open: readonly Route[] = [probes, metrics];

const behindToken: readonly Route[] = [
  createMerchant,
  listMerchants,
  showMerchant,
  changeMerchant,
  listPsps,
  connectPsp,
  testPsp,
  disconnectPsp,
  listCredentials,
  issueCredential,
  rotateCredential,
  revokeCredential,
  listDeliveries,
  replayDelivery,
  replayExhausted,
  listPspEvents,
  listPayments,
  showPayment,
  retryPayment,
  stopPayment,
  listDisputes,
  listFees,
  listUnknownCharges,
  settleUnknownCharge,
  listInvariants,
  showClock,
  moveClock,
];

/** Every route of the operator's server. */
export function registerRoutes(server: FastifyInstance, deps: OperatorDeps): void {
  for (const route of open) route(server, deps);
  // The check belongs to the routes and not to a path's beginning, which can be written in many ways.
  server.register(
    async (api) => {
      api.addHook('onRequest', authorize(deps.operatorToken));
      for (const route of behindToken) route(api, deps);
    },
    { prefix: '/api' },
  );
}

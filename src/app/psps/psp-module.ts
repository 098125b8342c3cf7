import type { Psp } from '../../domain/psps.ts';
import type { PspAccount, PspAdapter } from '../../psp/adapter.ts';
import type { PspRegistry } from '../../psp/registry.ts';
import { createPspGateways, type PspGateways } from '../../recovery/admin/psp-gateways.ts';
import type { PspConnection, SupportedPsps } from '../../recovery/operator-api.ts';
import type { AppContext } from '../context.ts';
import type { MerchantModule } from '../merchant-module.ts';
import { traceAccount } from '../tracing/trace-account.ts';
import { sendInTime } from './send-in-time.ts';

/** The processors as this process knows them, and the merchants' accounts at them. */
export interface PspModule {
  readonly gateways: PspGateways<PspAccount>;
  readonly supported: SupportedPsps;
  /** Those that keep invoices. */
  readonly invoiceHolders: readonly Psp[];
  /** A gateway with credentials that are not saved yet; undefined for one that is not supported. */
  connect(connection: PspConnection): PspAccount | undefined;
}

export function createPspModule(input: {
  readonly context: Pick<AppContext, 'clock' | 'engineTime' | 'machine' | 'tracing'>;
  readonly merchants: Pick<MerchantModule, 'records'>;
  readonly registry: PspRegistry;
}): PspModule {
  const { context, merchants, registry } = input;
  const { clock, engineTime: time, machine: wall } = context;
  const connect = ({ psp, credentials }: PspConnection) => {
    const account = registry.find(psp)?.connect(credentials);
    return (
      account && traceAccount(context.tracing, psp, sendInTime({ clock, wall, time }, account))
    );
  };
  return {
    gateways: createPspGateways({ records: merchants.records, connect }),
    supported: Object.fromEntries(registry.all().map(fieldsByPsp)),
    invoiceHolders: registry
      .all()
      .flatMap(({ capabilities }) => (capabilities.holdsInvoices ? [capabilities.psp] : [])),
    connect,
  };
}

function fieldsByPsp({ capabilities, credentialFields }: PspAdapter) {
  return [capabilities.psp, credentialFields] as const;
}

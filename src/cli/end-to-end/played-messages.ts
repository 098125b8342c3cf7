import type { Static } from 'typebox';
import type { messageReportShape } from '../../operator/messages/show-message-report.ts';
import { messageArm } from '../../policy/messages/when-to-tell.ts';
import type { EndToEndWorld } from '../../simulator/end-to-end/end-to-end-world.ts';
import type { OperatorClient } from '../operator-client.ts';
import type { WorldCustomers } from './world-customers.ts';
import { invoiceOf } from './world-events.ts';

/** An arm as it is counted outside of the service: by its webhooks, its hash and the payers' own money. */
export interface CountedArm {
  readonly payments: number;
  readonly recovered: number;
}

/** What messages came to: as the service reports it, and as the world counts it. */
export interface PlayedMessages {
  readonly report: Static<typeof messageReportShape>;
  readonly customers: WorldCustomers['counts'];
  readonly messages: CountedArm;
  readonly holdout: CountedArm;
  /** Payers whose payments waited, of the arm that is written to. */
  readonly written: readonly number[];
}

export async function playedMessages(
  client: OperatorClient,
  of: {
    readonly merchantId: string;
    readonly holdoutShare: number;
    readonly world: EndToEndWorld;
    readonly waited: ReadonlySet<number>;
    readonly customers: Pick<WorldCustomers, 'counts'>;
  },
): Promise<PlayedMessages> {
  const { merchantId, holdoutShare, world, waited, customers } = of;
  const report = await client.get<PlayedMessages['report']>(
    `/merchants/${merchantId}/message-report`,
  );
  const armOf = (index: number) =>
    messageArm({ merchantId, invoiceId: invoiceOf(index) }, holdoutShare);
  const written = [...waited].filter((index) => armOf(index) === 'messages');
  const heldOut = [...waited].filter((index) => armOf(index) === 'holdout');
  const counted = (payers: readonly number[]): CountedArm => ({
    payments: payers.length,
    recovered: payers.filter((index) => world.hasPaid(index)).length,
  });
  return {
    report,
    customers: { ...customers.counts },
    messages: counted(written),
    holdout: counted(heldOut),
    written,
  };
}

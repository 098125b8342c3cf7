import { useState } from 'react';
import type { MerchantJson } from '../../api/generated/merchants.ts';
import type { PspConnectionJson } from '../../api/generated/psp-connections.ts';
import {
  useConnectPsp,
  useDisconnectPsp,
  usePsps,
  useTestPsp,
} from '../../api/merchant-settings.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { Panel } from '../../parts/panel.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { PspFields, pspOf } from './psp-fields.tsx';

/** The processors that charges go through, each with a test that moves no money. */
export function PspsPanel({ merchant }: { readonly merchant: MerchantJson }) {
  const [asked, setAsked] = useState<'connect' | { readonly disconnect: string }>();
  const close = (): void => setAsked(undefined);
  const isDisconnecting = typeof asked === 'object';
  return (
    <Panel
      title="Processors"
      aside={
        <button type="button" className="button" onClick={() => setAsked('connect')}>
          Connect a processor
        </button>
      }
    >
      {merchant.psps.map((connection) => (
        <Connection
          key={connection.psp}
          merchantId={merchant.id}
          {...connection}
          isLast={merchant.psps.length === 1}
          onDisconnect={() => setAsked({ disconnect: connection.psp })}
        />
      ))}
      <Connect merchantId={merchant.id} open={asked === 'connect'} onClose={close} />
      <Disconnect
        merchantId={merchant.id}
        psp={isDisconnecting ? asked.disconnect : ''}
        open={isDisconnecting}
        onClose={close}
      />
    </Panel>
  );
}

function Connection({
  merchantId,
  psp,
  webhook_url: webhookUrl,
  isLast,
  onDisconnect,
}: {
  readonly merchantId: string;
  readonly psp: string;
  readonly webhook_url: string;
  readonly isLast: boolean;
  readonly onDisconnect: () => void;
}) {
  const test = useTestPsp(merchantId);
  return (
    <section className="setting" aria-label={psp}>
      <div>
        <h3>{psp}</h3>
        <p className="muted small">It is to send its webhooks to:</p>
        <Copyable text={webhookUrl} />
      </div>
      <div className="machine-controls">
        <button
          type="button"
          className="button"
          disabled={test.isPending}
          aria-label={`Test ${psp}`}
          onClick={() => test.mutate(psp)}
        >
          {test.isPending ? 'Asking…' : 'Test'}
        </button>
        {!isLast && (
          <button
            type="button"
            className="button"
            aria-label={`Disconnect ${psp}`}
            onClick={onDisconnect}
          >
            Disconnect
          </button>
        )}
      </div>
      <div role="status" className="setting-result">
        {test.data !== undefined && <Check check={test.data} />}
      </div>
      <FormError error={test.error} />
    </section>
  );
}

function Check({ check }: { readonly check: PspConnectionJson }) {
  const { account, reason, warnings = [] } = check;
  return (
    <>
      <p>
        <StatePill state={check.result} /> {account !== undefined && `The account is ${account}. `}
        {reason}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className="muted">
          {warning}
        </p>
      ))}
    </>
  );
}

interface AskedProps {
  readonly merchantId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Connect({ merchantId, open, onClose }: AskedProps) {
  const connect = useConnectPsp(merchantId);
  const psps = usePsps();
  const toast = useToast();
  const close = (): void => {
    connect.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Connect a processor?"
      effect="The processor is asked about the credentials first; those that it refuses are not kept. A connection that is there already gets the new ones."
      action="Connect"
      isBusy={connect.isPending}
      error={connect.error}
      onClose={close}
      onConfirm={(fields) =>
        connect.mutate(pspOf(fields), {
          onSuccess: ({ psp, result }) => {
            toast(
              `${psp} is connected${result === 'accepted' ? '' : ', but could not be reached'}.`,
            );
            close();
          },
        })
      }
    >
      <PspFields psps={psps.data?.items ?? []} />
    </ConfirmDialog>
  );
}

function Disconnect({ merchantId, psp, open, onClose }: AskedProps & { readonly psp: string }) {
  const disconnect = useDisconnectPsp(merchantId);
  const toast = useToast();
  const close = (): void => {
    disconnect.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title={`Disconnect ${psp}?`}
      effect={`Removes the credentials of ${psp}. Payments that were to be charged there wait until it is connected again, or their window ends.`}
      action="Disconnect"
      isDangerous
      isBusy={disconnect.isPending}
      error={disconnect.error}
      onClose={close}
      onConfirm={() =>
        disconnect.mutate(psp, {
          onSuccess: () => {
            toast(`${psp} is disconnected.`);
            close();
          },
        })
      }
    />
  );
}

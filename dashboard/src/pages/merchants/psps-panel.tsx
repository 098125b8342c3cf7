import { useState } from 'react';
import type { MerchantJson } from '../../api/generated/merchants.ts';
import type { PspAccountJson, PspConnectionJson } from '../../api/generated/psp-connections.ts';
import {
  useConnectPsp,
  useDisconnectPsp,
  usePspAccounts,
  usePsps,
  useTestPsp,
} from '../../api/merchant-settings.ts';
import { apiPath } from '../../api/request.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { Panel } from '../../parts/panel.tsx';
import { pspName, pspTitle } from '../../parts/psp-name.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { AccountLine, RemovedAccounts } from './account-line.tsx';
import { keptText, openBefore, replacedText } from './open-charges.ts';
import { PspFields, pspOf } from './psp-fields.tsx';

/** The processors that charges go through, each with a test that moves no money. */
export function PspsPanel({ merchant }: { readonly merchant: MerchantJson }) {
  const [asked, setAsked] = useState<'connect' | { readonly disconnect: string }>();
  const close = (): void => setAsked(undefined);
  const isDisconnecting = typeof asked === 'object';
  const accounts = usePspAccounts(merchant.id).data?.items ?? [];
  const present = accounts.filter(({ state }) => state === 'active');
  const leaving = present.find(({ psp }) => isDisconnecting && psp === asked.disconnect);
  return (
    <Panel
      title="Processors"
      aside={
        <div className="filters">
          <ExportButton
            list={apiPath('merchants', merchant.id, 'psps')}
            filters={{}}
            of="processors"
          />
          <button type="button" className="button" onClick={() => setAsked('connect')}>
            Connect a processor
          </button>
        </div>
      }
    >
      {merchant.psps.map((connection) => (
        <Connection
          key={connection.psp}
          merchantId={merchant.id}
          {...connection}
          accounts={accounts.filter(({ psp }) => psp === connection.psp)}
          isLast={merchant.psps.length === 1}
          onDisconnect={() => setAsked({ disconnect: connection.psp })}
        />
      ))}
      <RemovedAccounts accounts={accounts} />
      <Connect
        merchantId={merchant.id}
        accounts={present}
        open={asked === 'connect'}
        onClose={close}
      />
      <Disconnect
        merchantId={merchant.id}
        psp={isDisconnecting ? asked.disconnect : ''}
        leaving={leaving}
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
  accounts,
  isLast,
  onDisconnect,
}: {
  readonly merchantId: string;
  readonly psp: string;
  readonly webhook_url: string;
  readonly accounts: readonly PspAccountJson[];
  readonly isLast: boolean;
  readonly onDisconnect: () => void;
}) {
  const test = useTestPsp(merchantId);
  return (
    <section className="setting" aria-label={pspTitle(psp)}>
      <div>
        <h3>{pspTitle(psp)}</h3>
        {accounts.map((account) => (
          <AccountLine key={account.version} account={account} />
        ))}
        <p className="muted small">Set it to send its webhooks to:</p>
        <Copyable text={webhookUrl} />
      </div>
      <div className="machine-controls">
        <ActButton
          isBusy={test.isPending}
          aria-label={`Test ${pspName(psp)}`}
          onClick={() => test.mutate(psp)}
        >
          {test.isPending ? 'Asking…' : 'Test'}
        </ActButton>
        {!isLast && (
          <button
            type="button"
            className="button"
            aria-label={`Disconnect ${pspName(psp)}`}
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
        <StatePill state={resultOf(check)} />{' '}
        {account !== undefined && `The account is ${account}. `}
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

/** `accepted` is the word for a dispute that was given up: credentials are valid. */
function resultOf({ result }: PspConnectionJson): string {
  return result === 'accepted' ? 'valid' : result;
}

interface AskedProps {
  readonly merchantId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Connect({
  merchantId,
  accounts,
  open,
  onClose,
}: AskedProps & { readonly accounts: readonly PspAccountJson[] }) {
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
      effect={`The processor is asked about the credentials first; those that it rejects are not saved. New keys of the same account replace its old ones. Another account replaces the current one. ${openBefore(accounts)}`}
      action="Connect"
      isBusy={connect.isPending}
      error={connect.error}
      onClose={close}
      onConfirm={(fields) =>
        connect.mutate(pspOf(fields), {
          onSuccess: ({ psp, result, retired }) => {
            const reach = result === 'accepted' ? '' : ', but could not be reached';
            const before = retired === undefined ? '' : ` ${replacedText(retired)}`;
            toast(`${pspTitle(psp)} is connected${reach}.${before}`);
            close();
          },
        })
      }
    >
      <PspFields psps={psps.data?.items ?? []} />
    </ConfirmDialog>
  );
}

function Disconnect({
  merchantId,
  psp,
  leaving,
  open,
  onClose,
}: AskedProps & { readonly psp: string; readonly leaving: PspAccountJson | undefined }) {
  const disconnect = useDisconnectPsp(merchantId);
  const toast = useToast();
  const close = (): void => {
    disconnect.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title={`Disconnect ${pspName(psp)}?`}
      effect={`Nothing is charged through ${pspName(psp)} any more. Payments that were to be charged there wait until it is connected again, or their window ends. ${keptText(leaving?.open)}`}
      action="Disconnect"
      isDangerous
      isBusy={disconnect.isPending}
      error={disconnect.error}
      onClose={close}
      onConfirm={() =>
        disconnect.mutate(psp, {
          onSuccess: (removed) => {
            toast(`${pspTitle(psp)} is disconnected. ${keptText(removed.open)}`);
            close();
          },
        })
      }
    />
  );
}

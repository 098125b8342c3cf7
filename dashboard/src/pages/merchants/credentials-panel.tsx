import { useState } from 'react';
import type { CredentialJson } from '../../api/generated/credentials.ts';
import { useCredentials, useRevokeCredential } from '../../api/merchant-settings.ts';
import { apiPath } from '../../api/request.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { ShownOnce } from '../../parts/shown-once.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useNow } from '../../state/service-time.tsx';
import { kindLabels, scopesText } from './credential-kinds.ts';
import { IssueDialog } from './issue-dialog.tsx';

/** What opens the APIs and signs webhooks: issued, rotated with an overlap, revoked. */
export function CredentialsPanel({ merchantId }: { readonly merchantId: string }) {
  const [isAsked, setAsked] = useState(false);
  const [issued, setIssued] = useState<readonly (readonly [string, string])[]>([]);
  const [revoked, setRevoked] = useState<CredentialJson>();
  const now = useNow();
  return (
    <Panel
      title="Credentials"
      aside={
        <div className="filters">
          <ExportButton
            list={apiPath('merchants', merchantId, 'credentials')}
            filters={{}}
            of="credentials"
          />
          <button type="button" className="button" onClick={() => setAsked(true)}>
            Issue or rotate
          </button>
        </div>
      }
    >
      {issued.length > 0 && <ShownOnce items={issued} />}
      <QueryView query={useCredentials(merchantId)} what="the credentials">
        {({ items }) => (
          <DataTable
            name="Credentials, the newest first"
            rows={items}
            rowKey={(row) => row.id}
            columns={[
              {
                name: 'Kind',
                cell: (row) => (
                  <>
                    {kindLabels[row.kind] ?? row.kind}
                    {row.name !== undefined && <div className="muted">{row.name}</div>}
                  </>
                ),
              },
              { name: 'Text', cell: (row) => <code>{row.hint}</code> },
              { name: 'Scopes', cell: (row) => scopesText(row.scopes) },
              { name: 'State', cell: (row) => <StatePill state={stateOf(row, now)} /> },
              { name: 'Last used', cell: lastUsed },
              { name: 'Issued', cell: (row) => <Time at={row.created_at} /> },
              { name: 'Ends', cell: ends },
              {
                name: 'Action',
                cell: (row) =>
                  stateOf(row, now) === 'valid' && (
                    <button
                      type="button"
                      className="button"
                      aria-label={`Revoke ${row.hint}`}
                      onClick={() => setRevoked(row)}
                    >
                      Revoke
                    </button>
                  ),
              },
            ]}
          />
        )}
      </QueryView>
      <IssueDialog
        merchantId={merchantId}
        open={isAsked}
        onClose={() => setAsked(false)}
        onIssued={(name, text) => setIssued([[name, text]])}
      />
      <Revoke merchantId={merchantId} credential={revoked} onClose={() => setRevoked(undefined)} />
    </Panel>
  );
}

function stateOf({ revoked_at: revokedAt, expires_at: expiresAt }: CredentialJson, now: Date) {
  if (revokedAt !== undefined) return 'revoked';
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime();
  return isOver ? 'expired' : 'valid';
}

function lastUsed({ last_used_at: at }: CredentialJson) {
  return at === undefined ? <span className="muted">not seen</span> : <Time at={at} />;
}

function ends({ expires_at: expiresAt, revoked_at: revokedAt }: CredentialJson) {
  const at = revokedAt ?? expiresAt;
  return at === undefined ? <span className="muted">never</span> : <Time at={at} />;
}

function Revoke({
  merchantId,
  credential,
  onClose,
}: {
  readonly merchantId: string;
  readonly credential: CredentialJson | undefined;
  readonly onClose: () => void;
}) {
  const revoke = useRevokeCredential(merchantId);
  const toast = useToast();
  const close = (): void => {
    revoke.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={credential !== undefined}
      title="Revoke the credential?"
      effect={`Revokes ${credential?.hint ?? ''} at once. Calls that still use it are refused. This cannot be undone.`}
      action="Revoke"
      isDangerous
      isBusy={revoke.isPending}
      error={revoke.error}
      onClose={close}
      onConfirm={() =>
        credential !== undefined &&
        revoke.mutate(credential.id, {
          onSuccess: () => {
            toast('The credential is revoked.');
            close();
          },
        })
      }
    />
  );
}

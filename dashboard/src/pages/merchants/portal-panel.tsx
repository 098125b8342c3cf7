import { useState } from 'react';
import type { PortalLinkJson } from '../../api/generated/portal.ts';
import { useCreatePortalLink, useRevokePortalLinks } from '../../api/portal.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { count } from '../../parts/count.ts';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';

/** Lets the merchant's own people read what is theirs, by a link that ends. */
export function PortalPanel({ merchantId }: { readonly merchantId: string }) {
  const [asked, setAsked] = useState<'create' | 'revoke'>();
  const [link, setLink] = useState<PortalLinkJson>();
  const close = (): void => setAsked(undefined);
  return (
    <Panel
      title="Portal"
      aside={
        <div className="filters">
          <button type="button" className="button" onClick={() => setAsked('create')}>
            Portal link
          </button>
          <button type="button" className="button" onClick={() => setAsked('revoke')}>
            Revoke all links
          </button>
        </div>
      }
    >
      <p className="muted">
        The merchant’s own people can see their money, payments, webhooks and disputes, and can
        change nothing. Anyone who has a link can read until it expires.
      </p>
      {link !== undefined && (
        <div role="status">
          <Copyable text={link.url} />
          <p className="small">
            Shown only once. It ends <Time at={link.expires_at} form="both" focusable />
            {link.embed_origin !== undefined && <>; {link.embed_origin} may show it in a frame</>}.
          </p>
        </div>
      )}
      <Create
        merchantId={merchantId}
        open={asked === 'create'}
        onClose={close}
        onCreated={setLink}
      />
      <Revoke
        merchantId={merchantId}
        open={asked === 'revoke'}
        onClose={close}
        onRevoked={() => setLink(undefined)}
      />
    </Panel>
  );
}

const hour = 3_600;
const times = [
  { value: String(hour), label: '1 hour' },
  { value: String(24 * hour), label: '1 day' },
  { value: String(7 * 24 * hour), label: '7 days' },
];

interface AskedProps {
  readonly merchantId: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

function Create({
  merchantId,
  open,
  onClose,
  onCreated,
}: AskedProps & { readonly onCreated: (link: PortalLinkJson) => void }) {
  const [seconds, setSeconds] = useState(String(24 * hour));
  const create = useCreatePortalLink(merchantId);
  const close = (): void => {
    create.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Create a link to the portal?"
      effect="Whoever has the link can read what belongs to this merchant. It does not allow any changes."
      action="Create"
      isBusy={create.isPending}
      error={create.error}
      onClose={close}
      onConfirm={(fields) => {
        const origin = String(fields.get('embed_origin') ?? '').trim();
        create.mutate(
          {
            expires_in_seconds: Number(seconds),
            ...(origin !== '' && { embed_origin: origin }),
          },
          {
            onSuccess: (link) => {
              onCreated(link);
              close();
            },
          },
        );
      }}
    >
      <Choice label="Valid for" value={seconds} options={times} onChange={setSeconds} />
      <label>
        Website that may show it in a frame (optional)
        <input
          name="embed_origin"
          maxLength={300}
          placeholder="https://app.example.com"
          autoComplete="off"
        />
      </label>
    </ConfirmDialog>
  );
}

function Revoke({
  merchantId,
  open,
  onClose,
  onRevoked,
}: AskedProps & { readonly onRevoked: () => void }) {
  const revoke = useRevokePortalLinks(merchantId);
  const toast = useToast();
  const close = (): void => {
    revoke.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Revoke all links?"
      effect="All links to this merchant’s portal stop working at once, and sessions opened with them end."
      action="Revoke all"
      isDangerous
      isBusy={revoke.isPending}
      error={revoke.error}
      onClose={close}
      onConfirm={() =>
        revoke.mutate(undefined, {
          onSuccess: ({ revoked }) => {
            toast(`${count(revoked, 'link was', 'links were')} revoked.`);
            onRevoked();
            close();
          },
        })
      }
    />
  );
}

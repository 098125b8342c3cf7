import type { FormEvent } from 'react';
import type { SignatureVerdictJson } from '../../api/generated/deliveries.ts';
import { useSignatureTest } from '../../api/webhooks.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { exactTime } from '../../parts/format-time.ts';
import { Panel } from '../../parts/panel.tsx';

/** Judges a webhook that a merchant's engineer received, and says what is wrong with it. */
export function SignatureTester({ merchantId }: { readonly merchantId: string }) {
  const test = useSignatureTest(merchantId);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string): string => String(fields.get(name) ?? '');
    // A form writes its line breaks as CR LF; a body that was pasted had LF alone.
    const body = text('body').replaceAll('\r\n', '\n');
    test.mutate({ body, expiration: text('expiration'), signature: text('signature') });
  };
  return (
    <Panel title="Test a signature">
      <form onSubmit={submit} className="form">
        <p className="muted">
          Paste what arrived. It is judged by the signing secrets that are valid now; nothing is
          kept.
        </p>
        <label>
          Raw body
          <textarea name="body" rows={5} required spellCheck={false} />
        </label>
        <label>
          X-Service-Webhook-Expiration
          <input name="expiration" required spellCheck={false} inputMode="numeric" />
        </label>
        <label>
          X-Service-Webhook-Signature
          <input name="signature" required spellCheck={false} />
        </label>
        <div>
          <ActButton type="submit" className="button primary" isBusy={test.isPending}>
            Test it
          </ActButton>
        </div>
        <p role="status" className="verdict">
          {test.data !== undefined && verdictText(test.data)}
        </p>
        <p role="alert" className="form-error">
          {test.error?.message}
        </p>
      </form>
    </Panel>
  );
}

function verdictText({ verdict, because, expired_at: expiredAt }: SignatureVerdictJson): string {
  switch (verdict) {
    case 'valid':
      return '✓ Valid: it is ours, unchanged and recent.';
    case 'expired':
      return `◷ It is ours and unchanged, but it expired: ${exactTime(new Date(expiredAt ?? ''))}. Is the receiver’s clock right?`;
    case 'body_changed':
      return `✕ The signature is ours, but the body changed on its way: ${because ?? ''}. Verify the raw bytes.`;
    case 'wrong':
      return `✕ Wrong. ${because ?? ''}`;
  }
}

/** The merchant's two addresses. */
export function AddressFields({
  webhookUrl,
  retryStatusUrl,
}: {
  readonly webhookUrl?: string;
  readonly retryStatusUrl?: string;
}) {
  return (
    <>
      <label>
        Webhook endpoint
        <input
          name="webhook_url"
          type="url"
          required
          defaultValue={webhookUrl}
          placeholder="https://billing.example.com/webhooks/retry-results"
        />
      </label>
      <label>
        Retry-status endpoint
        <input
          name="retry_status_url"
          required
          defaultValue={retryStatusUrl}
          placeholder="https://billing.example.com/retry/{invoice_id}"
        />
        <span className="muted small">
          <code>{'{invoice_id}'}</code> in it is replaced by the invoice.
        </span>
      </label>
    </>
  );
}

import { useVerifyAudit } from '../../api/audit.ts';
import { ActButton } from '../../parts/act-button.tsx';

/** Whether anything of the log was changed: asked when a person wants to know, since all of it is read. */
export function Verify({ merchantId }: { readonly merchantId: string | undefined }) {
  const verify = useVerifyAudit(merchantId);
  const { data, error } = verify;
  return (
    <div className="verify">
      <ActButton isBusy={verify.isPending} onClick={() => verify.mutate()}>
        Verify the hashes
      </ActButton>
      <p role="status">
        {verify.isPending && 'Reading every line…'}
        {error !== null && `It could not be verified: ${error.message}`}
        {data?.holds === true &&
          `✓ ${data.lines} lines in ${data.heads.length} chains: each follows the one before.`}
        {data?.holds === false && (
          <strong className="broken">
            ✕ The log was changed:{' '}
            {data.broken
              .map((line) => `line ${line.line} of ${line.chain}: ${line.because}`)
              .join('; ')}
          </strong>
        )}
      </p>
    </div>
  );
}

import { useState } from 'react';
import { useEvidence, useEvidencePdf } from '../../api/disputes.ts';
import type { EvidenceJson } from '../../api/generated/dispute-evidence.ts';
import type { DisputeSummaryJson } from '../../api/generated/disputes.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { Panel } from '../../parts/panel.tsx';
import { pspName } from '../../parts/psp-name.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { saveAs } from '../../parts/save-as.ts';
import { Time } from '../../parts/time.tsx';

/** What would be sent, as a preview and as a document; opened on request, since it is personal. */
export function Evidence({ dispute }: { readonly dispute: DisputeSummaryJson }) {
  const [isWanted, setWanted] = useState(false);
  const pdf = useEvidencePdf(dispute.id);
  const query = useEvidence(dispute.id, isWanted);
  const save = (): void =>
    pdf.mutate(undefined, { onSuccess: (blob) => saveAs(blob, `dispute-${dispute.id}.pdf`) });
  return (
    <Panel
      title="Evidence"
      aside={
        <div className="machine-controls">
          {!isWanted && (
            <button type="button" className="button" onClick={() => setWanted(true)}>
              Preview the evidence
            </button>
          )}
          <ActButton isBusy={pdf.isPending} onClick={save}>
            {pdf.isPending ? 'Making it…' : 'Get the PDF'}
          </ActButton>
        </div>
      }
    >
      <FormError error={pdf.error} />
      {isWanted ? (
        <QueryView query={query} what="the evidence" rows={6}>
          {(evidence) => <Preview evidence={evidence} />}
        </QueryView>
      ) : (
        <p className="muted">
          It contains personal data in clear text. The audit log records each time it is opened.
        </p>
      )}
    </Panel>
  );
}

function Preview({ evidence }: { readonly evidence: EvidenceJson }) {
  const { content, content_hash: hash, psp_evidence: form } = evidence;
  return (
    <div className="batch">
      <ol className="changes">
        {content.timeline.map(({ at, words, reference }) => (
          <li key={`${at} ${words} ${reference ?? ''}`}>
            <Time at={at} form="short" focusable />
            <span>
              {words}
              {reference !== undefined && <code className="muted breaks"> {reference}</code>}
            </span>
          </li>
        ))}
      </ol>
      {form.left_out.length > 0 && (
        <div>
          <h3>What {pspName(form.psp)} has no room for</h3>
          <ul className="reasons">
            {form.left_out.map(({ field, why }) => (
              <li key={field}>
                <code className="breaks">{field}</code>: {why}
              </li>
            ))}
          </ul>
        </div>
      )}
      <Raw title={`As ${pspName(form.psp)} gets it`} value={form.body} />
      <Raw title="The whole packet" value={content} />
      <p className="muted small breaks">SHA-256 of the packet: {hash}</p>
    </div>
  );
}

function Raw({ title, value }: { readonly title: string; readonly value: unknown }) {
  if (value === undefined) return null;
  return (
    <details className="raw">
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keys */}
      <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}

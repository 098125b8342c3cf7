import { useState } from 'react';
import type { DisputeSummaryJson } from '../../api/generated/disputes.ts';
import { Panel } from '../../parts/panel.tsx';
import { Attachments } from './attachments.tsx';
import { Rebuttal } from './rebuttal.tsx';

/** What a person adds to the evidence; opened on request, since it may name persons. */
export function Added({ dispute }: { readonly dispute: DisputeSummaryJson }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Panel
      title="What you add"
      aside={
        !isOpen && (
          <button type="button" className="button" onClick={() => setOpen(true)}>
            Add to the evidence
          </button>
        )
      }
    >
      {isOpen ? (
        <div className="added">
          <Rebuttal dispute={dispute} />
          <Attachments dispute={dispute} />
        </div>
      ) : (
        <p className="muted">
          A letter to the issuer, and files. They are sealed, and each opening is noted in the audit
          log.
        </p>
      )}
    </Panel>
  );
}

import { useState } from 'react';
import type { DisputeJson, ObstacleJson } from '../../api/generated/disputes.ts';
import { localTimes } from '../../parts/format-time.ts';
import { Panel } from '../../parts/panel.tsx';
import { Attachments } from './attachments.tsx';
import { Rebuttal } from './rebuttal.tsx';

/** What keeps evidence from ever being sent: by hand it is sent all the same, and a connection can be made. */
const final: readonly ObstacleJson['kind'][] = [
  'no_dispute',
  'not_open',
  'past_deadline',
  'accepted',
];

/** What a person adds to the evidence, as long as it can be sent; opened on request, since it may name persons. */
export function Added({ dispute }: { readonly dispute: DisputeJson }) {
  const [isOpen, setOpen] = useState(false);
  const { obstacle } = dispute;
  const isClosed = obstacle !== undefined && final.includes(obstacle.kind);
  return (
    <Panel
      title={isClosed ? 'What was added' : 'What you add'}
      aside={
        !isOpen && (
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {isClosed ? 'Show what was added' : 'Add to the evidence'}
          </button>
        )
      }
    >
      {isClosed && (
        <p className="muted">Nothing more can be added. {localTimes(obstacle.message)}</p>
      )}
      {isOpen ? (
        <div className="added">
          <Rebuttal dispute={dispute} isClosed={isClosed} />
          <Attachments dispute={dispute} isClosed={isClosed} />
        </div>
      ) : (
        <p className="muted">
          A letter to the issuer, and files. They are stored encrypted, and the audit log records
          each time they are opened.
        </p>
      )}
    </Panel>
  );
}

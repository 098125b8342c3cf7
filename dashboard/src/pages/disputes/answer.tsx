import { useState } from 'react';
import { useSubmitDispute } from '../../api/disputes.ts';
import type { DisputeJson, SubmissionJson } from '../../api/generated/disputes.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { localTimes } from '../../parts/format-time.ts';
import { pspName } from '../../parts/psp-name.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { usePortal } from '../../state/portal.ts';

/** Stages the evidence at the processor, or submits it: once for each stage of the dispute. */
export function Answer({ dispute }: { readonly dispute: DisputeJson }) {
  const [asked, setAsked] = useState<'stage' | 'submit'>();
  const { submission, stage } = dispute;
  const isAnswered =
    submission?.state === 'submitted' &&
    submission.stage === stage &&
    submission.is_asked_again !== true;
  const isOperator = usePortal() === undefined;
  const isOpen = isOperator && dispute.status === 'needs_response' && !isAnswered;
  return (
    <>
      {submission !== undefined && <Given submission={submission} />}
      {isOpen && dispute.obstacle !== undefined && (
        <span className="muted">
          {dispute.accept_obstacle?.message === dispute.obstacle.message
            ? 'It can be neither answered nor accepted here.'
            : 'It cannot be answered here.'}{' '}
          {localTimes(dispute.obstacle.message)}
        </span>
      )}
      {isOpen && dispute.obstacle === undefined && (
        <>
          <button type="button" className="button" onClick={() => setAsked('stage')}>
            Stage
          </button>
          <button type="button" className="button primary" onClick={() => setAsked('submit')}>
            Submit the evidence
          </button>
        </>
      )}
      <Ask
        dispute={dispute}
        stageOnly={asked === 'stage'}
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

function Given({ submission }: { readonly submission: SubmissionJson }) {
  const { state, stage, reason, is_asked_again: isAskedAgain } = submission;
  return (
    <span>
      Answer to the {stage.replaceAll('_', ' ')}: <StatePill state={state} />
      {reason !== undefined && <span className="muted"> {reason}</span>}
      {isAskedAgain === true && (
        <span className="muted"> The processor asks for another response: submit again.</span>
      )}
    </span>
  );
}

function Ask({
  dispute,
  stageOnly,
  open,
  onClose,
}: {
  readonly dispute: DisputeJson;
  readonly stageOnly: boolean;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const submit = useSubmitDispute(dispute.id);
  const toast = useToast();
  const close = (): void => {
    submit.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title={stageOnly ? 'Stage the evidence?' : 'Submit the evidence?'}
      effect={effectText(dispute, stageOnly)}
      action={stageOnly ? 'Stage' : 'Submit'}
      isDangerous={!stageOnly}
      isBusy={submit.isPending}
      error={submit.error}
      onClose={close}
      onConfirm={() =>
        submit.mutate(stageOnly, {
          onSuccess: ({ state }) => {
            toast(toastMessages[state] ?? `The answer is ${state}.`);
            close();
          },
        })
      }
    />
  );
}

function effectText(dispute: DisputeJson, stageOnly: boolean): string {
  const { amount, currency, psp, stage = 'dispute', verdict } = dispute;
  const money =
    amount === undefined || currency === undefined ? '' : ` of ${formatAmount(amount, currency)}`;
  if (stageOnly) {
    return `Stages the evidence for 1 dispute${money} at ${pspName(psp)}, where a person can review it. It is not submitted.`;
  }
  const doubt =
    verdict?.eligible === false
      ? ` ${verdict.rule_set.words} is not met: see the rules first.`
      : '';
  return `Answers 1 dispute${money} at ${pspName(psp)}. The ${stage.replaceAll('_', ' ')} has this one answer; it cannot be changed or withdrawn.${doubt}`;
}

const toastMessages: Readonly<Record<string, string>> = {
  staged: 'The evidence is staged at the processor; it is not submitted.',
  submitted: 'The dispute is answered.',
  unknown: 'The processor did not answer. Recoup will find out what happened.',
};

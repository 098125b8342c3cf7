import { useId, useState } from 'react';
import { useRebuttal, useWriteRebuttal } from '../../api/added-evidence.ts';
import type { RebuttalJson } from '../../api/generated/dispute-evidence.ts';
import type { DisputeSummaryJson } from '../../api/generated/disputes.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { count, formatCount } from '../../parts/count.ts';
import { FormError } from '../../parts/form-error.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { OtherLetter } from './other-letter.tsx';

const characters = (n: number): string => count(n, 'character', 'characters');

/** The letter to the issuer: a draft until the evidence is sent on, or cannot be sent any more. */
export function Rebuttal({
  dispute,
  isClosed,
}: {
  readonly dispute: DisputeSummaryJson;
  readonly isClosed: boolean;
}) {
  return (
    <QueryView query={useRebuttal(dispute)} what="the letter to the issuer" rows={6}>
      {(rebuttal) =>
        rebuttal.is_sent || isClosed ? (
          <Ended rebuttal={rebuttal} />
        ) : (
          <Draft dispute={dispute} rebuttal={rebuttal} />
        )
      }
    </QueryView>
  );
}

function Ended({ rebuttal }: { readonly rebuttal: RebuttalJson }) {
  const { text, is_sent: isSent } = rebuttal;
  return (
    <div className="letter">
      <h3>Letter to the issuer</h3>
      <p className="muted">
        {isSent
          ? text === undefined
            ? 'The evidence was sent without one.'
            : 'It was sent with the evidence and can no longer be changed.'
          : text === undefined
            ? 'There is none.'
            : 'It was not sent.'}
      </p>
      {text !== undefined && <p className="letter-text">{text}</p>}
    </div>
  );
}

function Draft({
  dispute,
  rebuttal,
}: {
  readonly dispute: DisputeSummaryJson;
  readonly rebuttal: RebuttalJson;
}) {
  const kept = rebuttal.text ?? '';
  const [text, setText] = useState(kept);
  // The letter that was saved when this one was begun: another one is not replaced unseen.
  const [basis, setBasis] = useState(kept);
  const write = useWriteRebuttal(dispute);
  const toast = useToast();
  const hintId = useId();
  const left = rebuttal.limit - [...text.trim()].length;
  const isTooLong = left < 0;
  const isOther = kept !== basis && !write.isPending;
  const begin = (next: string): void => {
    write.reset();
    setText(next);
    setBasis(kept);
  };
  if (isOther && text === basis) {
    setText(kept);
    setBasis(kept);
  }
  return (
    <form
      className="form letter"
      onSubmit={(event) => {
        event.preventDefault();
        write.mutate(
          { text, basis },
          {
            onSuccess: () => {
              setBasis(text.trim());
              toast(text.trim() === '' ? 'The letter is removed.' : 'The letter is kept.');
            },
          },
        );
      }}
    >
      <label>
        Letter to the issuer
        <textarea
          name="text"
          rows={10}
          value={text}
          aria-describedby={hintId}
          aria-invalid={isTooLong}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <p id={hintId} className={isTooLong ? 'letter-hint too-long' : 'letter-hint muted'}>
        {isTooLong ? `${characters(-left)} too many. ` : `${characters(left)} left. `}
        {placeText(rebuttal, text)} The packet has the charge, what was sold, the earlier charges,
        the rules and the timeline already.
      </p>
      {isOther ? (
        <OtherLetter text={kept} onTake={() => begin(kept)} onKeep={() => begin(text)} />
      ) : (
        <FormError error={write.error} />
      )}
      <div className="actions">
        <ActButton
          type="submit"
          className="button primary"
          isBusy={write.isPending}
          isReady={!isTooLong && !isOther && text !== kept}
        >
          {write.isPending ? 'Saving…' : 'Save the letter'}
        </ActButton>
      </div>
    </form>
  );
}

/** By what stands in the field now: the service's own sentence is of what is kept. */
function placeText({ psp_limit: limit, goes_to: goesTo, text: kept }: RebuttalJson, text: string) {
  if (limit === undefined || text.trim() === (kept ?? '')) return goesTo;
  return [...text.trim()].length <= limit
    ? `The processor’s own field takes ${formatCount(limit)}.`
    : `The processor’s own field takes ${formatCount(limit)}: a longer letter goes into the PDF.`;
}

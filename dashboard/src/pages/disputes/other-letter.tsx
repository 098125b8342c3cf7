/** Another letter that was saved while this one was written, and the choice between both. */
export function OtherLetter({
  text,
  onTake,
  onKeep,
}: {
  /** Empty: it was removed. */
  readonly text: string;
  readonly onTake: () => void;
  readonly onKeep: () => void;
}) {
  return (
    <section aria-label="The letter was changed">
      <p role="alert">
        {text === ''
          ? 'Somebody removed the letter while you were writing. Yours is not saved.'
          : 'Somebody saved another letter while you were writing. Yours is not saved. Theirs:'}
      </p>
      {text !== '' && <p className="letter-text">{text}</p>}
      <div className="actions">
        <button type="button" className="button" onClick={onTake}>
          {text === '' ? 'Discard mine' : 'Use theirs'}
        </button>
        <button type="button" className="button" onClick={onKeep}>
          Continue with mine
        </button>
      </div>
    </section>
  );
}

interface InTime<T> {
  /** How long an asker waits. */
  readonly maxMs: number;
  /** After how long without an answer another question is asked beside the one before. */
  readonly renewMs: number;
  readonly elapsedMs: () => number;
  /** What is answered to whoever waited for so long. */
  late(): T;
}

/**
 * Asks for many askers at once, and leaves none of them waiting. A database that falls silent holds a question
 * until its connection is given up, and askers that come round every few seconds must not take all the others.
 */
export function answerInTime<T>(ask: () => Promise<T>, input: InTime<T>): () => Promise<T> {
  const { maxMs, renewMs, elapsedMs, late } = input;
  let asked: { readonly answer: Promise<T>; readonly atMs: number } | undefined;

  function begin(): Promise<T> {
    const own = { answer: ask(), atMs: elapsedMs() };
    asked = own;
    const end = () => {
      if (asked === own) asked = undefined;
    };
    own.answer.then(end, end);
    return own.answer;
  }

  return () => {
    const isFresh = asked !== undefined && elapsedMs() - asked.atMs < renewMs;
    const answer = asked !== undefined && isFresh ? asked.answer : begin();
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => resolve(late()), maxMs);
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  };
}

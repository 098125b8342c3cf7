export interface DrainTurns {
  /** Calls `read` when it is its turn: after those that came before, and a pause after the last one. */
  wait(read: () => void): void;
}

/**
 * Lets the connections of a server that send what nobody reads any more have one read after another. Each read costs
 * little, but one that is thrown away at once asks for the next at once.
 */
export function createDrainTurns(pauseMs: number): DrainTurns {
  const waiting: (() => void)[] = [];
  let isPausing = false;

  function next(): void {
    const read = waiting.shift();
    isPausing = read !== undefined;
    if (read === undefined) return;
    setTimeout(next, pauseMs);
    read();
  }

  return {
    wait(read) {
      waiting.push(read);
      if (isPausing) return;
      isPausing = true;
      setTimeout(next, pauseMs);
    },
  };
}

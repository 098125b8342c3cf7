import { useEffect, useRef, useState } from 'react';

/** One step a second, however long it takes; a step that fails pauses. */
const everyMs = 1_000;

/** Repeats a step until it is paused, or the page is left. */
export function usePlay(step: () => Promise<void>): {
  readonly isPlaying: boolean;
  start(): void;
  pause(): void;
} {
  const [isPlaying, setPlaying] = useState(false);
  // The latest one: the speed may change while time plays.
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    if (!isPlaying) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const next = async (): Promise<void> => {
      const startedMs = performance.now();
      try {
        await latest.current();
      } catch {
        setPlaying(false);
        return;
      }
      if (isOver) return;
      timer = setTimeout(() => void next(), Math.max(0, everyMs - (performance.now() - startedMs)));
    };
    void next();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isPlaying]);
  return { isPlaying, start: () => setPlaying(true), pause: () => setPlaying(false) };
}

/** Shows how far long work has come. */
export interface Progress {
  /** @param share 0 to 1 */
  show(share: number, words: string): void;
  /** Of work whose end nobody knows. */
  tell(words: string): void;
  /** Takes the bar away again. */
  end(): void;
}

const width = 24;

/** A bar on a terminal's standard error; nothing where that is a file or a pipe. */
export function createProgress(stream: {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}): Progress {
  if (stream.isTTY !== true) return { show: () => {}, tell: () => {}, end: () => {} };
  let shown = '';
  const write = (line: string): void => {
    if (line !== shown) stream.write(`\r\u001b[K${line}`);
    shown = line;
  };
  return {
    show(share, words) {
      const full = Math.round(Math.min(1, Math.max(0, share)) * width);
      const percent = `${Math.floor(share * 100)}`.padStart(3);
      write(`[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${percent} % ${words}`);
    },
    tell: write,
    end: () => stream.write('\r\u001b[K'),
  };
}

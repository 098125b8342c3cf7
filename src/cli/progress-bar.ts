/** A bar of how far work has come, on one line of a terminal. */
export interface ProgressBar {
  show(label: string, done: number, total: number): void;
  /** Clears the line. */
  end(): void;
}

const width = 30;

/** On a stream that is no terminal it shows nothing: logs are not filled with it. */
export function createProgressBar(stream: NodeJS.WriteStream): ProgressBar {
  let shown = '';
  return {
    show(label, done, total) {
      if (!stream.isTTY) return;
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const full = Math.round(share * width);
      const bar = `${'#'.repeat(full)}${'.'.repeat(width - full)}`;
      const line = `${label} [${bar}] ${Math.floor(share * 100)} %`;
      if (line === shown) return;
      shown = line;
      stream.write(`\r\u001B[K${line}`);
    },
    end() {
      if (shown !== '') stream.write('\r\u001B[K');
      shown = '';
    },
  };
}

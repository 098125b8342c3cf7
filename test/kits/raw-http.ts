import { connect } from 'node:net';

/** Names that the kits' servers may be asked by, beside those of loopback. */
export const hostsOfTests = ['x', 'recoup', 'recoup.example'];

/** What a server sent over one connection, and whether it closed it. */
export interface RawExchange {
  readonly text: string;
  readonly isClosed: boolean;
}

/**
 * Sends bytes as they are and gathers the answer, until the server closes the connection or
 * `isEnough` says that the text so far is all that is awaited.
 */
export function rawExchange(
  port: number,
  bytes: string | Buffer,
  isEnough: (text: string) => boolean = () => false,
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const finish = (isClosed: boolean): void => {
      socket.destroy();
      resolve({ text, isClosed });
    };
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isEnough(text)) finish(false);
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
  });
}

/** The status and the body of the first answer in a raw text. */
export function firstAnswer(text: string): { readonly status: number; readonly body: string } {
  const end = text.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
  return { status: Number(text.slice(9, 12)), body: text.slice(end + 4, end + 4 + length) };
}

/** Whether a text holds `count` answers or more. */
export function hasAnswers(count: number): (text: string) => boolean {
  return (text) => {
    const heads = text.split('HTTP/1.1 ').slice(1);
    const last = heads.at(-1) ?? '';
    const length = Number(/content-length: (\d+)/i.exec(last)?.[1]);
    const end = last.indexOf('\r\n\r\n');
    return heads.length >= count && end >= 0 && last.length >= end + 4 + length;
  };
}

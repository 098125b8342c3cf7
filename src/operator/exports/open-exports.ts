import type { Readable } from 'node:stream';
import { AppError } from '../../domain/errors.ts';
import type { Standing } from '../live/standing.ts';
import type { OperatorCaller } from '../session/authorize.ts';

/** Exports that are being read at once, of one process: each holds a page of rows, and asks for the next. */
const maxExports = 8;

/** What is being exported now. */
export interface OpenExports {
  /** @throws AppError too_many_requests */
  mustHaveRoom(): void;
  /** Cuts the export off once whoever asked for it may not ask any more. */
  add(stream: Readable, caller: OperatorCaller): void;
  /** Cuts off what is open, so that the server can close; its readers see that rows are missing. */
  endAll(): void;
}

export function createOpenExports(standing: Pick<Standing, 'watch'>): OpenExports {
  const open = new Set<Readable>();
  return {
    mustHaveRoom() {
      if (open.size < maxExports) return;
      throw new AppError('too_many_requests', 'Too many lists are being exported.');
    },
    add(stream, caller) {
      open.add(stream);
      const cutOff = () => stream.destroy(new Error('who asked for it may not any more'));
      const watch = standing.watch(caller, cutOff);
      stream.on('close', () => {
        watch.stop();
        open.delete(stream);
      });
    },
    endAll() {
      for (const stream of open) stream.destroy(new Error('the service ends'));
    },
  };
}

import type { Readable } from 'node:stream';
import { AppError } from '../../domain/errors.ts';
import type { Standing } from '../live/standing.ts';
import type { OperatorCaller } from '../session/authorize.ts';

/** Exports that are being read at once, of one process: each holds a page of rows, and asks for the next. */
const maxExports = 8;
/** Of them those of portals, one of a merchant: what merchants take away leaves room for operators. */
const maxPortalExports = 4;

/** What is being exported now. */
export interface OpenExports {
  /**
   * Room for one more, taken before its first row is read.
   *
   * @throws AppError too_many_requests
   */
  takeRoom(caller: Pick<OperatorCaller, 'portal'>): ExportRoom;
  /** Cuts off what is open, so that the server can close; its readers see that rows are missing. */
  endAll(): void;
}

export interface ExportRoom {
  /** For this export, to its end. It is cut off once whoever asked for it may not ask any more. */
  holdFor(stream: Readable, caller: OperatorCaller): void;
  /** For none: it was refused. */
  giveBack(): void;
}

export function createOpenExports(standing: Pick<Standing, 'watch'>): OpenExports {
  const open = new Set<Readable>();
  const ofPortals = new Set<string>();
  let taken = 0;
  return {
    takeRoom({ portal }) {
      const isPortalFull =
        portal !== undefined &&
        (ofPortals.has(portal.merchantId) || ofPortals.size >= maxPortalExports);
      if (taken >= maxExports || isPortalFull) {
        throw new AppError('too_many_requests', 'Too many lists are being exported at once.');
      }
      taken += 1;
      if (portal !== undefined) ofPortals.add(portal.merchantId);
      const giveBack = () => {
        taken -= 1;
        if (portal !== undefined) ofPortals.delete(portal.merchantId);
      };
      return {
        giveBack,
        holdFor(stream, caller) {
          open.add(stream);
          const cutOff = () => stream.destroy(new Error('who asked for it may not any more'));
          const watch = standing.watch(caller, cutOff);
          stream.on('close', () => {
            watch.stop();
            open.delete(stream);
            giveBack();
          });
        },
      };
    },
    endAll() {
      for (const stream of open) stream.destroy(new Error('the service ends'));
    },
  };
}

import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPdfQueue } from '../../../src/app/documents/pdf-queue.ts';
import { startPdfThread } from '../../../src/app/documents/start-pdf-thread.ts';
import { buildPacket } from '../../../src/disputes/evidence/build-packet.ts';
import type { Packet } from '../../../src/disputes/evidence/packet.ts';
import { loadFonts } from '../../../src/documents/fonts.ts';
import { renderPdf } from '../../../src/documents/render-pdf.ts';
import { packetFacts } from '../../kits/packet-cases.ts';

const named = (contentHash: string) => ({ contentHash }) as Packet;
const bytes = new Uint8Array([1]);

/** A queue whose documents are drawn when the test says so. */
function heldQueue() {
  const asked: string[] = [];
  const gates: PromiseWithResolvers<Uint8Array>[] = [];
  let starts = 0;
  const queue = createPdfQueue(() => {
    starts += 1;
    return ({ contentHash }) => {
      asked.push(contentHash);
      const gate = Promise.withResolvers<Uint8Array>();
      gates.push(gate);
      return gate.promise;
    };
  });
  return { ...queue, asked, gates, starts: () => starts };
}

test('documents are drawn one after the other, and each content once', async () => {
  const { draw, asked, gates } = heldQueue();
  const [a, again, b] = [draw(named('a')), draw(named('a')), draw(named('b'))];
  await setImmediate();
  expect(asked).toEqual(['a']);
  gates[0]?.resolve(bytes);
  expect(await a).toBe(await again);
  await setImmediate();
  gates[1]?.resolve(bytes);
  await b;
  expect(await draw(named('a'))).toBe(bytes);
  expect(asked).toEqual(['a', 'b']);
});

test('beyond the queue a document is refused, but for work that has begun', async () => {
  const { draw, drawInAnyCase, asked, gates } = heldQueue();
  const waiting = Array.from({ length: 16 }, (_, n) => draw(named(`${n}`)));
  await expect(draw(named('one more'))).rejects.toMatchObject({ code: 'service_busy' });
  waiting.push(draw(named('3')), drawInAnyCase(named('begun')));
  for (let n = 0; n < 17; n += 1) {
    await setImmediate();
    gates[n]?.resolve(bytes);
  }
  await Promise.all(waiting);
  expect(asked).toHaveLength(17);
});

test('after a failure the next document is drawn by a fresh thread', async () => {
  const { draw, gates, starts } = heldQueue();
  const failed = draw(named('a'));
  await setImmediate();
  gates[0]?.reject(new Error('the thread ended'));
  await expect(failed).rejects.toThrow('the thread ended');
  const drawn = draw(named('a'));
  await setImmediate();
  gates[1]?.resolve(bytes);
  expect(await drawn).toBe(bytes);
  expect(starts()).toBe(2);
});

test('the thread gives the bytes that the process would', async () => {
  const packet = buildPacket(packetFacts());
  const drawn = await createPdfQueue(startPdfThread).draw(packet);
  const here = await renderPdf({ fonts: await loadFonts() }, packet);
  expect(Buffer.from(drawn).equals(here)).toBe(true);
});

import type { Worker } from 'node:worker_threads';

/** Sends a call to a thread that answers each once, and waits for the answer. */
export function askThread<Call, Answer>(worker: Worker, call: Call): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const done = () => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
    };
    const onMessage = (answer: Answer) => {
      done();
      resolve(answer);
    };
    const onError = (error: Error) => {
      done();
      reject(error);
    };
    const onExit = () => onError(new Error('the thread ended before its answer'));
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(call);
  });
}

import type { Worker } from 'node:worker_threads';

/** Calls to a thread that answers each once; a call after its end or its error is rejected at once. */
export function askThread<Call, Answer>(worker: Worker): (call: Call) => Promise<Answer> {
  // Between two calls nobody else listens: an error would end the service, an end go unnoticed.
  let failure: Error | undefined;
  worker.on('error', (error: Error) => {
    failure ??= error;
  });
  worker.on('exit', () => {
    failure ??= ended();
  });
  return (call) => (failure === undefined ? answerTo(worker, call) : Promise.reject(failure));
}

function answerTo<Call, Answer>(worker: Worker, call: Call): Promise<Answer> {
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
    const onExit = () => onError(ended());
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(call);
  });
}

function ended(): Error {
  return new Error('the thread ended');
}

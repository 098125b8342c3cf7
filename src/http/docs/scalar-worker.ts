import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';

/**
 * Posts the script of the reference page, gzipped. The package has it as a text inside its own module
 * and gives it out as a route only. Loading that module takes a third of a second and 40 MB, so it is
 * done here: in a thread that ends with it.
 */
const server = fastify();
await server.register(scalar, { routePrefix: '/', configuration: { url: '/' } });
const { rawPayload, statusCode } = await server.inject('/js/scalar.js');
if (statusCode !== 200) throw new Error('the package has no script');
await server.close();
parentPort?.postMessage(gzipSync(rawPayload));

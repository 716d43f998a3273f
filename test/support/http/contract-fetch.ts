import { withinRate } from './within-rate.ts';

declare global {
  var faultsOfContract: string[] | undefined;
  var uncheckedFetch: typeof fetch | undefined;
}

/**
 * Errors found in the running test. A test that catches the error still fails at its end. Global, because a process can
 * load this module again.
 */
globalThis.faultsOfContract ??= [];
export const contractFaults = globalThis.faultsOfContract;
globalThis.uncheckedFetch ??= globalThis.fetch;
const send = globalThis.uncheckedFetch;

/** Checks every response of a running service against the OpenAPI document. */
globalThis.fetch = async (input, init) => {
  const response = await withinRate(() => send(input, init));
  // The local gateway sets this id, the functions the other. A test's own handler behind a gateway sets only the first.
  if (!response.headers.has('apigw-requestid')) return response;
  const { status, headers } = response;
  const { pathname } = new URL(response.url);
  if (!headers.has('x-request-id') && status < 400) return response;
  // Only the local service has it.
  if (/^\/outbox(?:\/|$)/.test(pathname)) return response;
  // Loaded at the first response, so that tests of pure rules do not load it.
  const { contractFault } = await import('./contract.ts');
  const method = response.redirected ? 'GET' : (init?.method ?? (input instanceof Request ? input.method : 'GET'));
  const text = await response.clone().text();
  const fault = contractFault({ method: method.toUpperCase(), path: pathname, status, headers, text });
  if (fault === undefined) return response;
  contractFaults.push(fault);
  throw new Error(fault);
};

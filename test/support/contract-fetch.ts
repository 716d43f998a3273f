/** What was found in the test that runs. One that swallows the error fails all the same, at its end. */
export const contractFaults: string[] = [];
const send = globalThis.fetch;

/** Every answer that a test gets from a running service is held against the OpenAPI document. */
globalThis.fetch = async (input, init) => {
  const response = await send(input, init);
  // Our gateway gives this id, our functions the other; what a test put behind a gateway of its own has but the first.
  if (!response.headers.has('apigw-requestid')) return response;
  const { status, headers } = response;
  const { pathname } = new URL(response.url);
  if (!headers.has('x-request-id') && status < 400) return response;
  // Loaded when it is first needed: a test of pure rules does not pay for it.
  const { contractFault } = await import('./contract.ts');
  const method = response.redirected ? 'GET' : (init?.method ?? (input instanceof Request ? input.method : 'GET'));
  const text = await response.clone().text();
  const fault = contractFault({ method: method.toUpperCase(), path: pathname, status, headers, text });
  if (fault === undefined) return response;
  contractFaults.push(fault);
  throw new Error(fault);
};

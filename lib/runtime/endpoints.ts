import type * as z from 'zod';
import { createVerifier } from '../auth/verifier.ts';
import type { Contract } from '../http/contract.ts';
import { type Call, endpoint, type HttpHandler } from '../http/endpoint.ts';
import type { Reply } from '../http/reply.ts';
import { loadClient } from '../store/clients.ts';
import { loadPublicKeys } from '../store/signing-keys.ts';
import { environment, now, once, requests } from './base.ts';
import { runtime } from './table.ts';

const verifier = once(() => {
  const { database } = runtime();
  return createVerifier({
    issuer: environment().ISSUER,
    loadKeys: () => loadPublicKeys(database),
    loadClient: (clientId) => loadClient(database, clientId),
    now,
  });
});

/** An endpoint of the contract, for callers with an access token. */
export const bearerEndpoint = <Body extends z.ZodType, Query extends z.ZodType>(
  contract: Contract<Body, Query>,
  handle: (call: Call<z.output<Body>, z.output<Query>>) => Promise<Reply> | Reply,
): HttpHandler => endpoint(requests, contract, handle, (...args) => verifier()(...args));

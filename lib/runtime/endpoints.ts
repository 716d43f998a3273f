import { createVerifier } from '../auth/verifier.ts';
import type { Contract } from '../http/contract.ts';
import { endpoint, type Handler } from '../http/endpoint.ts';
import type { HttpHandler } from '../http/handler.ts';
import { loadClient } from '../store/access/clients.ts';
import { loadPublicKeys } from '../store/access/signing-keys.ts';
import { environment, now, once, requests } from './base.ts';
import { service } from './table.ts';

const verifier = once(() => {
  const { database } = service();
  return createVerifier({
    issuer: environment().ISSUER,
    loadKeys: () => loadPublicKeys(database),
    loadClient: (clientId) => loadClient(database, clientId),
    now,
  });
});

/** An endpoint of the contract, for callers with an access token. */
export const bearerEndpoint = <Of extends Contract>(contract: Of, handle: Handler<Of>): HttpHandler =>
  endpoint(requests, contract, handle, { authenticate: (...credentials) => verifier()(...credentials) });

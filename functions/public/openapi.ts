import * as z from 'zod';
import recorded from '../../examples/exchanges.json' with { type: 'json' };
import { contract } from '../../lib/http/contract.ts';
import { openApiDocument } from '../../lib/http/openapi.ts';
import { cachedFor, reply } from '../../lib/http/reply.ts';
import { environment, publicEndpoint } from '../../lib/runtime/base.ts';
import { allContracts } from '../contracts.ts';

export const getOpenapi = contract<typeof responses>()({
  id: 'get-openapi',
  tag: 'Public documents',
  conditional: 'reads',
  summary: 'Get this OpenAPI document',
  description: 'The document is generated from the list of endpoints and the schemas that validate requests.',
});

const responses = () => ({
  200: {
    description: 'The interface as an OpenAPI 3.1 document.',
    schema: z
      .looseObject({ openapi: z.string().describe('Version of OpenAPI.') })
      .meta({ id: 'OpenApiDocument', description: 'An OpenAPI document.' }),
    headers: { 'cache-control': 'How long the response can be cached.' },
  },
});

export const contracts = () => [{ ...getOpenapi, responses: responses() }];

let document: ReturnType<typeof openApiDocument> | undefined;

export const handler = publicEndpoint(getOpenapi, async () => {
  document ??= openApiDocument(await allContracts(), environment().ISSUER, { recorded });
  return reply(200, document, cachedFor(300));
});

import { type DocumentedOperation, documentedOperations, scopeOf } from './operations.ts';

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * A Postman collection (v2.1). Fill in its variables: `base_url`, `client_id` and `client_secret`. Postman then gets the
 * access token itself.
 */
export function postmanCollection() {
  const { info, groups } = documentedOperations();
  return {
    info: { name: info.title, version: info.version, description: info.description.split('\n\n')[0], schema },
    auth: { type: 'oauth2', oauth2: oauth2().map(([key, value]) => ({ key, value, type: 'string' })) },
    variable: [
      { key: 'base_url', value: 'http://127.0.0.1:3000' },
      { key: 'client_id', value: '' },
      { key: 'client_secret', value: '' },
    ],
    item: groups.map(({ name, description, operations }) => ({ name, description, item: operations.map(itemOf) })),
  };
}

const oauth2 = (): [string, string][] => [
  ['grant_type', 'client_credentials'],
  ['accessTokenUrl', '{{base_url}}/oauth2/token'],
  ['clientId', '{{client_id}}'],
  ['clientSecret', '{{client_secret}}'],
  ['client_authentication', 'header'],
  ['addTokenTo', 'header'],
];

function itemOf(operation: DocumentedOperation) {
  const { method, summary, security, operationId } = operation;
  const scope = scopeOf(operation);
  const description = [operation.description, scope && `Scope: \`${scope}\`.`].filter(Boolean).join('\n\n');
  return {
    id: operationId,
    name: summary,
    request: {
      method: method.toUpperCase(),
      ...(security.length > 0 ? {} : { auth: { type: 'noauth' } }),
      ...bodyOf(operation),
      url: urlOf(operation),
      description,
    },
  };
}

/** Required parameters are filled in with an example; the others can be switched on. */
function urlOf({ path, parameters = [] }: DocumentedOperation) {
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const query = of('query').map(({ name, description, required = false, example = '' }) => {
    return { key: name, value: example, description, disabled: !required };
  });
  const variable = of('path').map(({ name, description, example = '' }) => ({
    key: name,
    value: example,
    description,
  }));
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  return {
    raw: `{{base_url}}/${segments}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
    host: ['{{base_url}}'],
    path: segments.split('/'),
    ...(query.length > 0 ? { query } : {}),
    ...(variable.length > 0 ? { variable } : {}),
  };
}

/** The body of the first example. The token request is a form with the credentials of the collection. */
function bodyOf({ requestBody, operationId }: DocumentedOperation) {
  if (!requestBody) return {};
  if (operationId === 'createToken') {
    const fields = { grant_type: 'client_credentials', client_id: '{{client_id}}', client_secret: '{{client_secret}}' };
    const urlencoded = Object.entries(fields).map(([key, value]) => ({ key, value, type: 'text' }));
    return { body: { mode: 'urlencoded', urlencoded } };
  }
  const [example] = Object.values(requestBody.content['application/json']?.examples ?? {});
  const raw = JSON.stringify(example?.value ?? {}, undefined, 2);
  return {
    header: [{ key: 'Content-Type', value: 'application/json' }],
    body: { mode: 'raw', raw, options: { raw: { language: 'json' } } },
  };
}

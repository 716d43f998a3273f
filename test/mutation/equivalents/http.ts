import type { Equivalent } from '../equivalent.ts';

export const inHttp: readonly Equivalent[] = [
  {
    file: 'lib/http/body.ts',
    mutant: `const bytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : "");`,
    reason: 'UTF-8 is the default.',
  },
  {
    file: 'lib/http/body.ts',
    mutant: `return event.headers['content-type']?.split(';', 1)[0].trim().toLowerCase() || undefined;`,
    reason: 'Every text has a first part.',
  },
  {
    file: 'lib/http/body.ts',
    mutant: `const charset = /;\\s*charset\\s*=\\s*"?([^";\\s]*)/i.exec(headers['content-type'] ?? "Stryker was here!")?.[1] ?? 'utf-8';`,
    reason: 'Neither text names a charset.',
  },
  {
    file: 'lib/http/body.ts',
    mutant: 'if (false) throw error;',
    reason: '`parseJson` throws nothing else.',
  },
  {
    file: 'lib/http/compression.ts',
    mutant: `export const acceptsGzip = ({ headers }: Event): boolean => gzipAccepted.test(headers['accept-encoding'] ?? "Stryker was here!");`,
    reason: 'Neither text names gzip.',
  },
  {
    file: 'lib/http/entity-tag.ts',
    mutant: 'return header === undefined || names(header, current, {});',
    reason: '`undefined` is used like false.',
  },
  {
    file: 'lib/http/entity-tag.ts',
    mutant: `const tag = String(response.headers.etag ?? (await textTag(response.body ?? '')));`,
    reason: 'Every response has headers.',
  },
  {
    file: 'lib/http/entity-tag.ts',
    mutant: 'const sent = header.match(/(?:W\\/)?"[^"]*"/g) ?? ["Stryker was here"];',
    reason: 'A text without quotes is no tag.',
  },
  {
    file: 'lib/http/logged-ids.ts',
    mutant: 'const named = Object.entries(pathParameters).map(([name, value = "Stryker was here!"]) => [',
    reason: 'Neither text is a UUID.',
  },
  {
    file: 'lib/http/methods.ts',
    mutant: `const reply = problemReply(new Problem('method_not_allowed'), { requestId, hasCredentials: true, allow });`,
    reason: 'Only a 401 depends on the credentials.',
  },
  {
    file: 'lib/http/params.ts',
    mutant: 'const id = params[name]?.toLowerCase() ?? "Stryker was here!";',
    reason: 'Neither text is a UUID.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: `const [name = "Stryker was here!", ...value] = pair.split('=');`,
    reason: 'Every text has a first part.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: `const sources = [() => bodyParameters(event).get('client_id'), () => basicCredentials(event).clientId];`,
    reason: 'The error is caught, as that of a malformed header.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: 'if (value === null || false) return [];',
    reason: 'A value of JSON is not undefined.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: 'if (false || !/^Basic\\b/i.test(header)) return undefined;',
    reason: 'The text of `undefined` does not match.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: `const colon = pair?.indexOf(':') ?? +1;`,
    reason: 'The next line checks `pair`.',
  },
  {
    file: 'lib/http/token-request.ts',
    mutant: `if (false || colon === -1) throw invalid('The Authorization header is malformed.');`,
    reason: 'Without a pair, there is no colon.',
  },
  {
    file: 'lib/http/validation.ts',
    mutant: 'return new Set(schema instanceof z.ZodObject ? Object.keys(schema.shape) : ["Stryker was here"]);',
    reason: 'No parameter has this name.',
  },
];

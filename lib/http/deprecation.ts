import { deprecatedFields } from '../domain/contact.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts';
import { type Middleware, onResponse, withHeaders } from './middleware.ts';

/** Since when it is deprecated, and where that is explained (RFC 9745); every installation has this URL. */
export const deprecationNotice = {
  deprecation: `@${Date.UTC(2026, 0, 1) / 1000}`,
  link: '</openapi.json>; rel="deprecation"; type="application/json"',
};

/** Tells a client that it uses what is deprecated, whatever the status of the response. */
export const deprecation: Middleware = onResponse((response, { internal }) =>
  internal.usesDeprecated ? withHeaders(response, deprecationNotice) : response,
);

/** The headers, as the document describes them. */
export const deprecationHeaders = {
  Deprecation: {
    description:
      'When the request sent a deprecated field: since when it is deprecated, as `@` and a Unix time (RFC 9745). Errors carry it too.',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
  },
  DeprecationLink: {
    description: 'With `Deprecation`: where the deprecation is explained, with `rel="deprecation"`.',
    schema: { type: 'string' },
  },
};

const names = Object.keys(deprecatedFields);

/** Whether a contact is sent with a deprecated field, whatever its value. */
export const sendsDeprecated = (contact: JsonValue | undefined): boolean =>
  isJsonObject(contact) && names.some((name) => Object.hasOwn(contact, name));

/** So for a body that is a contact or holds `contacts`. */
export const anySendsDeprecated = (body: JsonObject): boolean =>
  sendsDeprecated(body) || (Array.isArray(body.contacts) && body.contacts.some(sendsDeprecated));

import { deprecatedFields } from '../domain/contacts/contact.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/values/json.ts';

/** Since when the fields are deprecated, and where this is explained (RFC 9745). Every installation has this URL. */
export const deprecationNotice = {
  deprecation: `@${Date.UTC(2026, 0, 1) / 1000}`,
  link: '</openapi.json>; rel="deprecation"; type="application/json"',
};

/** The descriptions of these headers in the OpenAPI document. */
export const deprecationHeaders = {
  Deprecation: {
    description:
      'Present if the request has a deprecated field: when it was deprecated, as `@` and a Unix time (RFC 9745). Error responses have it too.',
    schema: { type: 'string', pattern: '^@[0-9]+$' },
  },
  DeprecationLink: {
    description: 'Present with `Deprecation`: the URL that explains the deprecation, with `rel="deprecation"`.',
    schema: { type: 'string' },
  },
};

const names = Object.keys(deprecatedFields);

/** True if the sent contact has a deprecated field, whatever its value. */
export const sendsDeprecated = (contact: JsonValue | undefined): boolean =>
  isJsonObject(contact) && names.some((name) => Object.hasOwn(contact, name));

/** The same for a body that is a contact or has `contacts`. */
export const anySendsDeprecated = (body: JsonObject): boolean =>
  sendsDeprecated(body) || (Array.isArray(body.contacts) && body.contacts.some(sendsDeprecated));

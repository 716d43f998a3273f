import { describe, expect, test } from 'vitest';
import { notFound, Problem } from '../../../lib/domain/values/problem.ts';
import { credentialsInQuery, refusalReply, TokenRefusal, tokenReply, tokenRequest } from '../../../lib/http/token.ts';
import { eventOf } from '../../support/http/event.ts';

const grant = 'grant_type=client_credentials';
const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const form = (body: string, headers: Record<string, string> = {}) => eventOf({ method: 'POST', headers, body });
const json = (body: object | string) => ({
  ...form(typeof body === 'string' ? body : JSON.stringify(body)),
  headers: { 'content-type': 'application/json' },
});
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const limited = 'Send the scopes as one parameter with the name scope, separated by spaces.';
const refused = (code: string, message: string) => expect.objectContaining({ name: 'TokenRefusal', code, message });

describe('a request for a token', () => {
  test.each([
    ['a form', form(`${grant}&client_id=a&client_secret=b`)],
    ['a form with empty pairs', form(`&&${grant}&client_id=a&client_secret=b&scope=&`)],
    ['a form that repeats what is not known', form(`${grant}&client_id=a&client_secret=b&foo=1&foo=2&scopes[]=a`)],
    ['an encoded form', form(`grant%5Ftype=client_credentials&client_id=%61&client_secret=b&more=1`)],
    [
      'a form with its type',
      form(`${grant}&client_id=a&client_secret=b`, { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    ['JSON', json({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b', scope: null, more: 1 })],
    ['JSON without a type', form(' {"grant_type":"client_credentials","client_id":"a","client_secret":"b"}')],
    ['Basic', form(grant, basic('a:b'))],
    ['Basic and the same client_id', form(`${grant}&client_id=a`, basic('a:b'))],
    ['Basic in another case', form(grant, { authorization: basic('a:b').authorization.replace('Basic ', 'bASIC   ') })],
  ])('can be sent as %s', (_, event) => {
    expect(tokenRequest(event)).toEqual({ credentials: { clientId: 'a', clientSecret: 'b' }, scope: undefined });
  });

  test('can name scopes and contain any characters', () => {
    const event = form(`${grant}&client_id=a%3D+%26&client_secret=x=y&scope=a+b`);
    expect(tokenRequest(event)).toEqual({ credentials: { clientId: 'a= &', clientSecret: 'x=y' }, scope: 'a b' });
    const { credentials } = tokenRequest(form(grant, basic('a%3A:b:c+d')));
    expect(credentials).toEqual({ clientId: 'a:', clientSecret: 'b:c d' });
  });

  test.each([
    ['', { clientId: '', clientSecret: '' }],
    ['client_id=a', { clientId: 'a', clientSecret: '' }],
    ['client_secret=b', { clientId: '', clientSecret: 'b' }],
  ])('with %j has empty credentials where they are missing', (parameters, credentials) => {
    expect(tokenRequest(form(`${grant}&${parameters}`))).toEqual({ credentials, scope: undefined });
    for (const authorization of ['Bearer x', 'Bearer Basic', 'Basics x']) {
      expect(tokenRequest(form(`${grant}&${parameters}`, { authorization })).credentials).toEqual(credentials);
    }
  });

  test.each([
    [`client_assertion_type=${jwtBearer}&client_assertion=x&client_id=a`, { assertion: 'x', clientId: 'a' }],
    [`client_assertion_type=${jwtBearer}&client_assertion=x`, { assertion: 'x', clientId: undefined }],
    [`client_assertion_type=other&client_assertion=x`, { assertion: '', clientId: undefined }],
    [`client_assertion=x`, { assertion: '', clientId: undefined }],
    [`client_assertion_type=${jwtBearer}`, { assertion: '', clientId: undefined }],
  ])('with %j has an assertion', (parameters, credentials) => {
    expect(tokenRequest(form(`${grant}&${parameters}`)).credentials).toEqual(credentials);
  });

  test.each([
    ['', 'invalid_request', 'grant_type is missing.'],
    ['grant_type=', 'invalid_request', 'grant_type is missing.'],
    ['grant_type=password', 'unsupported_grant_type', 'grant_type must be client_credentials.'],
    [`${grant}&scope=a&scope=a`, 'invalid_request', 'No known parameter may be sent more than once.'],
    [`${grant}&scope%5B%5D=contacts:read`, 'invalid_request', limited],
    [`${grant}&scope=a&scope[0]=a`, 'invalid_request', limited],
    [`${grant}&a=%`, 'invalid_request', 'The form encoding is malformed.'],
    [`${grant}&client_assertion=x&client_secret=b`, 'invalid_request', 'Send an assertion or a secret, not both.'],
  ])('as the form %j is refused', (body, code, message) => {
    expect(() => tokenRequest(form(body))).toThrow(refused(code, message));
  });

  const twice = 'Send the credentials by Basic authentication or in the body, not both.';
  const malformed = 'The Authorization header is malformed.';
  test.each([
    ['client_secret=b', basic('a:b').authorization, twice],
    ['client_id=b', basic('a:b').authorization, twice],
    ['client_assertion=x', basic('a:b').authorization, 'Send an assertion or a secret, not both.'],
    ['', basic('a').authorization, malformed],
    ['', 'Basic', malformed],
    ['', 'Basic !', malformed],
    ['', `${basic('a:b').authorization} x`, malformed],
    ['', `Basic ${basic('a:b').authorization}`, malformed],
    ['', basic('%:b').authorization, 'The form encoding is malformed.'],
    ['', basic('a:%').authorization, 'The form encoding is malformed.'],
  ])('with %j and %j is refused', (body, authorization, message) => {
    expect(() => tokenRequest(form(`${grant}&${body}`, { authorization }))).toThrow(
      refused('invalid_request', message),
    );
  });

  test.each(['grant_type', 'client_id', 'client_secret', 'client_assertion_type', 'client_assertion', 'scope'])(
    'as JSON needs texts: %s',
    (name) => {
      const event = json({ grant_type: 'client_credentials', [name]: 1 });
      expect(() => tokenRequest(event)).toThrow(refused('invalid_request', `${name} must be a string.`));
    },
  );

  test('as JSON may not limit the token by another name', () => {
    const event = json({ grant_type: 'client_credentials', 'scope[]': ['contacts:read'] });
    expect(() => tokenRequest(event)).toThrow(refused('invalid_request', limited));
  });

  test.each([
    ['"scope":"contacts:read","scope":""', true],
    ['"scope":"a" , "\\u0073cope" : null', true],
    ['"more":{"x":["scope"],"scope":"b"},"scope":"a","state":"\\"scope\\":1"', false],
    ['"more":1,"more":2', false],
  ])('as JSON with %s repeats a known parameter: %s', (members, isRefused) => {
    const read = () => tokenRequest(json(`{"grant_type":"client_credentials",${members}}`));
    if (isRefused) expect(read).toThrow(refused('invalid_request', 'No known parameter may be sent more than once.'));
    else expect(read).not.toThrow();
  });

  test('as JSON does not read inherited names', () => {
    expect(tokenRequest(json('{"grant_type":"client_credentials","__proto__":{"scope":"a"}}')).scope).toBeUndefined();
  });

  test('may have 16 KiB', () => {
    const body = `${grant}&client_id=`;
    const at = 16 * 1024 - body.length;
    expect(tokenRequest(form(body + 'a'.repeat(at)))).toBeDefined();
    expect(() => tokenRequest(form(body + 'a'.repeat(at + 1)))).toThrow(
      expect.objectContaining({ code: 'payload_too_large' }),
    );
  });

  test('of another type is refused', () => {
    expect(() => tokenRequest(form(grant, { 'content-type': 'text/plain' }))).toThrow(
      expect.objectContaining({
        code: 'unsupported_media_type',
        hint: 'Send the header Content-Type with application/json or application/x-www-form-urlencoded.',
      }),
    );
  });
});

describe('credentials in the query string', () => {
  const shown = (clientIds: string[], secrets: string[] = [], assertions: string[] = []) => ({
    clientIds,
    secrets,
    assertions,
  });

  test.each([
    ['', undefined],
    ['scope=a&client=b', undefined],
    ['client_id=a', shown(['a'])],
    ['client_assertion=a&client_assertion=b&client_assertion=a', shown([], [], ['a', 'b'])],
    ['client_secret=b', shown([], ['b'])],
    ['client_id=a&client_secret=b', shown(['a'], ['b'])],
    ['client_id=a&client_id=c&client_id=a&client_secret=b&client_secret=b', shown(['a', 'c'], ['b'])],
    ['client_id=a&client_secret=b&client_secret=c', shown(['a'], ['b', 'c'])],
  ])('%j are %j', (rawQueryString, expected) => {
    expect(credentialsInQuery(eventOf({ rawQueryString }))).toEqual(expected);
  });

  test('belong to clients whose id is in the body or the header', () => {
    const event = (fields: object) => eventOf({ rawQueryString: 'client_secret=b', ...fields });
    expect(credentialsInQuery(event({ body: 'client_id=a' }))).toEqual(shown(['a'], ['b']));
    expect(credentialsInQuery(event({ headers: basic('c:d') }))).toEqual(shown(['c'], ['b']));
    const both = event({ headers: basic('c:d'), body: 'client_id=a' });
    expect(credentialsInQuery(both)).toEqual(shown(['a', 'c'], ['b']));
    const malformed = event({ headers: { authorization: 'Basic !' }, body: 'client_id=a' });
    expect(credentialsInQuery(malformed)).toEqual(shown(['a'], ['b']));
    expect(credentialsInQuery(event({ headers: basic('c:d'), body: 'a&a' }))).toEqual(shown(['c'], ['b']));
  });
});

describe('the reply', () => {
  test('to a valid request has the token', () => {
    expect(tokenReply('token', 60, 'a b')).toEqual({
      status: 200,
      body: { access_token: 'token', token_type: 'Bearer', expires_in: 60, scope: 'a b' },
      headers: {},
    });
  });

  test('to unknown credentials has a challenge', () => {
    expect(refusalReply(new TokenRefusal('invalid_client', 'No.'))).toEqual({
      status: 401,
      body: { error: 'invalid_client', error_description: 'No.' },
      headers: { 'www-authenticate': 'Basic realm="onboarding"' },
    });
  });

  test.each([
    [new TokenRefusal('invalid_scope', 'No.'), 'invalid_scope', 'No.'],
    [new Problem('invalid_request'), 'invalid_request', 'The body must be a form or a JSON object.'],
  ])('to an invalid request has its code: %s', (error, code, description) => {
    expect(refusalReply(error)).toEqual({
      status: 400,
      body: { error: code, error_description: description },
      headers: {},
    });
  });

  test.each([notFound(), new TypeError('x')])('does not hide %s', (error) => {
    expect(() => refusalReply(error)).toThrow(error);
  });
});

import { describe, expect, test } from 'vitest';
import { urlRefusal } from '../../../lib/webhooks/url.ts';

const deployed = { allowsLocal: false };
const local = { allowsLocal: true };

test.each([
  'https://example.com/hooks',
  'https://example.com:8443/hooks?tenant=7',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
  'https://xn--bcher-kva.example/',
  'HTTPS://EXAMPLE.COM',
])('%s is accepted, deployed and locally', (url) => {
  expect([urlRefusal(url, deployed), urlRefusal(url, local)]).toEqual([undefined, undefined]);
});

describe('refused, deployed and locally', () => {
  test.each([
    [
      'no URL',
      ['', 'example.com', '//example.com', 'https://', 'https://exa mple.com', 'https://[::1'],
      'must be a URL',
    ],
    [
      'another scheme',
      ['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'gopher://example.com', 'data:text/plain,x'],
      'must begin with https://',
    ],
    [
      'credentials',
      ['https://user@example.com/', 'https://user:password@example.com/', 'https://example.com@127.0.0.1/'],
      'must not contain a user or a password',
    ],
    [
      'an address that is not public',
      [
        ...[
          'https://127.0.0.1/',
          'https://127.1/',
          'https://2130706433/',
          'https://0x7f.0.0.1/',
          'https://017700000001/',
        ],
        ...[
          'https://127.0.0.1./',
          'https://0/',
          'https://10.0.0.1/',
          'https://192.168.1.1:8443/',
          'https://100.64.0.1/',
        ],
        ...['https://169.254.169.254/latest/meta-data/', 'https://[::1]/', 'https://[::]/', 'https://[fe80::1]/'],
        ...['https://[::ffff:127.0.0.1]/', 'https://[::ffff:a9fe:a9fe]/', 'https://[64:ff9b::7f00:1]/'],
        ...['https://[2002:7f00:1::]/', 'https://[2001::1]/', 'https://[fd00:ec2::254]/', 'https://①②⑦.⓪.⓪.①/'],
      ],
      'must not be a private or reserved address',
    ],
    [
      'a private name',
      [
        ...['https://localhost/', 'https://LOCALHOST/', 'https://app.localhost/', 'https://printer.local/'],
        ...['https://metadata.google.internal/', 'https://router/', 'https://nas.home.arpa/', 'https://ⓛocalhost/'],
      ],
      'must have a public host name',
    ],
    [
      'a name with a dot at its end',
      ['https://example.com./', 'https://localhost./'],
      'must not have a host name that ends with a dot',
    ],
    ['a long URL', [`https://example.com/${'a'.repeat(2040)}`], 'must have at most 2048 characters'],
  ])('%s', (_, urls, reason) => {
    for (const url of urls) {
      expect([url, urlRefusal(url, deployed)]).toEqual([url, reason]);
      expect([url, urlRefusal(url, local)]).toEqual([url, reason]);
    }
  });
});

test.each(['http://127.0.0.1:8080/hook', 'http://localhost:8080/hook', 'http://127.1:8080/'])(
  '%s is accepted by the local service only',
  (url) => {
    expect([urlRefusal(url, local), urlRefusal(url, deployed)]).toEqual([undefined, 'must begin with https://']);
  },
);

test.each([
  'http://[::1]:8080/',
  'http://127.0.0.2/',
  'http://app.localhost/',
  'http://localhost.:80/',
  'http://0.0.0.0/',
])('%s is refused by the local service too', (url) => {
  expect(urlRefusal(url, local)).toBe('must begin with https://');
});

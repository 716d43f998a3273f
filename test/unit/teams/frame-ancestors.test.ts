import { describe, expect, test } from 'vitest';
import { contentDocument } from '../../../lib/domain/campaigns/document.ts';
import { frameAncestors, isEmbedder, isEmbedderSetting } from '../../../lib/domain/teams/frame-ancestors.ts';

describe('a site that may frame content', () => {
  test.each([
    'https://bank.example',
    'https://online.bank.example:8443',
    'https://*.bank.example',
    'https://xn--bcher-kva.example',
    'http://localhost:5173',
    'http://127.0.0.1',
    'https://localhost',
    `https://${'a.'.repeat(120)}example`,
  ])('is %s', (site) => {
    expect(isEmbedder(site)).toBe(true);
  });

  test.each([
    ['', 'nothing'],
    ['*', 'everybody'],
    ['https:', 'a scheme'],
    ['https://*', 'every host'],
    ['https://*.com', 'all names of a registry'],
    ['https://a.*.example', 'a wildcard within'],
    ['http://bank.example', 'plain HTTP'],
    ['bank.example', 'no scheme'],
    ['https://bank.example/', 'a path'],
    ['https://Bank.example', 'upper case'],
    ['https://user@bank.example', 'credentials'],
    ['https://bank.example;script-src *', 'another directive'],
    ['https://bank.example, default-src *', 'another policy'],
    ['https://bank.example https://other.example', 'two'],
    ['https://bank.example\r\nset-cookie: a=b', 'another header'],
    ['https://bank.example\n', 'a line break at the end'],
    ['http://localhost.evil.example', 'a host that begins like this machine'],
    ['http://localhost:80/', 'a path of this machine'],
    ['https://evil.example;http://localhost', 'this machine after another directive'],
    ["'self'", 'a keyword'],
    ["'none'", 'a keyword'],
    ['https://bücher.example', 'letters that a header cannot hold'],
    ['https://bank..example', 'an empty label'],
    [`https://${'a.'.repeat(120)}examples`, 'more than 255 characters'],
    [`https://${'a.'.repeat(130)}example`, 'more than a host can be long'],
  ])('is not %j: %s', (site) => {
    expect(isEmbedder(site)).toBe(false);
    const faults = contentDocument.safeParse({ engagement_channels: [{ frame_ancestors: [site] }] }).error?.issues;
    expect(faults?.map(({ path }) => path.join('/'))).toEqual(['engagement_channels/0/frame_ancestors/0']);
  });

  test('is one of twenty at most', () => {
    const sites = (count: number) => Array.from({ length: count }, (_, at) => `https://bank-${at}.example`);
    const isTaken = (frame_ancestors: unknown) =>
      contentDocument.safeParse({ engagement_channels: [{ frame_ancestors }] }).success;
    expect([sites(20), sites(21), [], null, undefined].map(isTaken)).toEqual([true, false, true, true, true]);
    expect([isEmbedderSetting(sites(20).join(' ')), isEmbedderSetting(sites(21).join(' '))]).toEqual([true, false]);
  });
});

test.each([
  ['', true],
  ['*', true],
  ['https://a.example', true],
  ['https://a.example https://b.example', true],
  ['https://a.example  https://b.example', false],
  ['https://a.example,https://b.example', false],
  ['* https://a.example', false],
  ["'none'", false],
])('the setting %j of a deployment: %j', (text, isRight) => {
  expect(isEmbedderSetting(text)).toBe(isRight);
});

test.each([
  [[], '', "'none'"],
  [[], '*', '*'],
  [[], 'https://a.example https://b.example', 'https://a.example https://b.example'],
  [['https://c.example', 'https://d.example'], '*', 'https://c.example https://d.example'],
])('of the channel %j and the deployment %j the header says %s', (channel, deployment, value) => {
  expect(frameAncestors(channel, deployment)).toBe(value);
});

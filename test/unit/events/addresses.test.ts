import { expect, test } from 'vitest';
import { isLoopback, isPublicAddress } from '../../../lib/webhooks/addresses.ts';

test.each([
  ...['8.8.8.8', '1.1.1.1', '52.94.236.248', '172.15.255.255', '172.32.0.0', '100.63.255.255', '100.128.0.0'],
  ...['192.167.255.255', '169.253.255.255', '223.255.255.255', '2606:4700::1111', '2a00:1450:4001:80b::200e'],
  ...['64:ff9b::8.8.8.8', '64:ff9b::808:808', '64:FF9B:0:0:0:0:0101:0101', '64:ff9b::ac20:0', '64:ff9b::8.8.0.0'],
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['this host', ['0.0.0.0', '0.1.2.3', '::', '::0']],
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1']],
  ['private networks', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd00:ec2::254']],
  ['link-local', ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1']],
  ['site-local', ['fec0::1']],
  ['shared addresses of carriers', ['100.64.0.1', '100.127.255.255']],
  ['documentation and tests', ['192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9']],
  ['documentation in IPv6', ['2001:db8::1', '3fff::1']],
  ['protocols', ['192.0.0.1', '192.88.99.1', '2001:2::1', '2001:10::1', '2001:20::1', '100::1', '5f00::1']],
  ['multicast', ['224.0.0.1', '239.255.255.250', 'ff02::1']],
  ['reserved', ['240.0.0.1', '255.255.255.255', '4000::1']],
  ['IPv4 mapped to IPv6', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:169.254.169.254']],
  ['IPv4-compatible', ['::127.0.0.1', '::7f00:1']],
  ['IPv4 translated', ['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::a00:1']],
  ['IPv4 embedded in 64:ff9b::/96', ['64:ff9b::', '64:ff9b::1', '64:ff9b::7f00:0', '64:ff9b:0:0:0:0:c0a8:0101']],
  ['IPv4 embedded beyond 64:ff9b::/96', ['64:ff9b::1:808:808', '64:ff9b:1::808:808']],
  ['6to4 and Teredo', ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001:0:7f00:1::', '2001::1']],
  ['a zone', ['2606:4700::1111%1', '8.8.8.8%1']],
  ['no addresses', ['', 'localhost', '8.8.8', '0x7f000001', '2130706433', '127.1', '8.8.8.8 ', '[::1]']],
])('an address of %s is not public', (_, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['::1%lo', false],
  ['localhost', false],
])('%s is loopback: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

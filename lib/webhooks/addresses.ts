import { BlockList, isIP } from 'node:net';

const blockListOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network, prefix] = range.split('/') as [string, string];
    list.addSubnet(network, Number(prefix), familyOf(network));
  }
  return list;
};

/** The ranges of IPv4 and of 2000::/3 that are not for hosts of the public internet (registries of IANA). */
const special = blockListOf([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Protocol assignments with Teredo, documentation, 6to4, documentation.
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
]);

/**
 * All public addresses of IPv6. Addresses that contain one of IPv4 (mapped, translated), of a link, of a site, of a
 * private network or of a multicast group are outside of it.
 */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** By these, a network without IPv4 reaches hosts of IPv4 (RFC 6052): the last four bytes are the address of the host. */
const translated = new BlockList();
translated.addSubnet('64:ff9b::', 96, 'ipv6');

/** False also for a text that is no IP address, and for an address with a zone. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const host = hostOf(address);
  const family = familyOf(host);
  return (family === 'ipv4' || globalUnicast.check(host, family)) && !special.check(host, family);
}

/** Public addresses outside of these ranges, which an institution uses itself. */
export function publicExcept(ranges: readonly string[]): (address: string) => boolean {
  const denied = blockListOf(ranges);
  return (address) => isPublicAddress(address) && !denied.check(hostOf(address), familyOf(hostOf(address)));
}

/** The address of the host that a translated address reaches. Any other address is its own. */
function hostOf(address: string): string {
  if (!translated.check(address, familyOf(address))) return address;
  // The URL writes the address in groups of 16 bits, and the zeros before the last two of them as `::`.
  const [, last = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [low = 0, high = 0] = last
    .split(':')
    .map((group) => Number.parseInt(group || '0', 16))
    .reverse();
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && !address.includes('%') && loopback.check(address, familyOf(address));

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

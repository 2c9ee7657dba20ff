import { BlockList, isIP } from 'node:net';
import { groupsOfIpv6 } from '../../base/ipv6';

/**
 * Metadata services of clouds, which hand out credentials, and link-local addresses. Other private
 * addresses remain the operator's choice.
 */
const forbidden = new BlockList();
forbidden.addSubnet('169.254.0.0', 16);
forbidden.addSubnet('fe80::', 10, 'ipv6');
for (const address of ['100.100.100.200', '168.63.129.16', '192.0.0.192']) {
	forbidden.addAddress(address);
}
for (const address of ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fd00:42::42']) {
	forbidden.addAddress(address, 'ipv6');
}

/** Addresses of this host and of private networks, and addresses that name no single host. */
const privateNetworks = new BlockList();
for (const [address, prefix] of [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['224.0.0.0', 3],
] as const) {
	privateNetworks.addSubnet(address, prefix);
}
for (const [address, prefix] of [
	['::', 127],
	['fc00::', 7],
	['fe80::', 9],
	['ff00::', 8],
] as const) {
	privateNetworks.addSubnet(address, prefix, 'ipv6');
}

const privateNames = /^(.*\.)?(localhost|local|internal|localdomain|home\.arpa)$/;

const forbiddenNames = /^(metadata|metadata\.google\.internal|instance-data(\..*)?)$/;

/** Tells whether the host of a URL must not be called. */
export type HostRule = (host: string) => boolean;

/**
 * Tells whether the host of a URL (a name, or an address in any notation) must not be called. A
 * name has to be checked again with every address that it resolves to.
 */
export const isForbiddenHost: HostRule = (host) => isIn(host, forbidden, forbiddenNames);

/** Tells whether a host is forbidden, or in a private network; names as in {@link isForbiddenHost}. */
export const isPrivateHost: HostRule = (host) =>
	isForbiddenHost(host) || isIn(host, privateNetworks, privateNames);

function isIn(host: string, networks: BlockList, names: RegExp): boolean {
	const bare = host.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
	const family = isIP(bare);
	if (family === 4) return networks.check(bare, 'ipv4');
	if (family === 6) {
		if (networks.check(bare, 'ipv6')) return true;
		return embeddedIpv4(groupsOfIpv6(bare)).some((inner) => networks.check(inner, 'ipv4'));
	}
	return names.test(bare.toLowerCase().replace(/\.$/, ''));
}

/**
 * Extracts IPv4 addresses from mapped, compatible, translated (NAT64) and tunnelled (6to4)
 * addresses.
 */
function embeddedIpv4(groups: readonly number[]): string[] {
	const starts = (...prefix: readonly number[]): boolean =>
		prefix.every((group, index) => groups[index] === group);
	const zeros = starts(0, 0, 0, 0);
	const atEnd =
		(zeros && groups[4] === 0 && (groups[5] === 0 || groups[5] === 0xffff)) ||
		(zeros && groups[4] === 0xffff && groups[5] === 0) ||
		starts(0x64, 0xff9b);
	const pairs = [
		...(atEnd ? [[groups[6], groups[7]]] : []),
		...(starts(0x2002) ? [[groups[1], groups[2]]] : []),
	];
	return pairs.map(([high = 0, low = 0]) => [high >> 8, high & 255, low >> 8, low & 255].join('.'));
}

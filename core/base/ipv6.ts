/** The eight groups of an IPv6 address without a zone. */
export function groupsOfIpv6(address: string): number[] {
	// `URL` normalises an embedded dotted IPv4 part to hexadecimal groups.
	const text = new URL(`http://[${address}]`).hostname.slice(1, -1);
	const [head = '', tail] = text.split('::');
	const numbers = (part: string): number[] =>
		part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
	const [before, after] = [numbers(head), numbers(tail ?? '')];
	const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
	return [...before, ...zeros, ...after];
}

import type { GatewayFacade } from '../../../core';
import { PeerProfiles } from '../gateway/peers';
import { shownText } from '../helpers/shown-text';

const addresses = /did:e:[a-z0-9.-]+:dids:[0-9a-f]{22}/g;

/** Replaces the addresses of people in a message by their names, as far as these are known. */
export async function withPeerNames(text: string, gateway: GatewayFacade): Promise<string> {
	const found = new Set(text.match(addresses));
	let named = text;
	for (const address of found) {
		const name = await nameOf(address, gateway);
		if (name !== undefined) named = named.replaceAll(address, shownText(name));
	}
	return named;
}

/** The error to show is more important than the name in it. */
async function nameOf(address: string, gateway: GatewayFacade): Promise<string | undefined> {
	try {
		return (await new PeerProfiles(gateway).ofAddress(address)).name;
	} catch {
		return undefined;
	}
}

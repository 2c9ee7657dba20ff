import { isUnprotected } from '../../base/unprotected';
import { addressHostname, isAddressHostname, partsOfAddress } from '../../model/address';
import type { IdentityRecord } from '../../model/record/identity';
import { identityErrors } from './identity-errors';

export interface BackboneAddress {
	readonly baseUrl: string;
	/** true if a person has confirmed that the connection need not be encrypted any more */
	readonly allowPlainHttp: boolean;
}

/**
 * Checks whether the password and client secret of an identity may be sent to an address. A server
 * can prove to be the identity's Backbone only by its host name, for which its certificate was
 * issued and which the identity's address contains; therefore the check precedes every call.
 *
 * @throws `error.gateway.identity.belongsToAnotherBackbone`, `error.gateway.backbone.downgraded`
 */
export function requireOwnBackbone(
	known: string,
	{ baseUrl, allowPlainHttp }: BackboneAddress,
): void {
	const [former, next] = [new URL(known), new URL(baseUrl)];
	// Port and scheme may change, for example because of a proxy or TLS.
	if (former.hostname !== next.hostname) {
		throw identityErrors.create('anotherBackbone', {
			message: `This account lives on ${known}, not on ${baseUrl}.`,
			facts: { accountBackbone: known, configuredBackbone: baseUrl },
		});
	}
	if (former.protocol === 'https:' && isUnprotected(baseUrl) && !allowPlainHttp) {
		throw identityErrors.create('downgraded', {
			message: `This account was created over an encrypted connection (${known}); ${baseUrl} has none.`,
			facts: { accountBackbone: known, configuredBackbone: baseUrl },
		});
	}
}

/**
 * Checks whether a stored identity may be used with the configured Backbone.
 *
 * @throws `error.gateway.identity.belongsToAnotherBackbone`, `error.gateway.backbone.downgraded`,
 * `error.gateway.identity.addressMismatch`
 */
export function requireIdentityBackbone(
	record: Pick<IdentityRecord, 'state' | 'address' | 'backboneBaseUrl'>,
	backbone: BackboneAddress & NamedBackbone,
): void {
	if (!isNamedUrl(record, backbone.baseUrl)) requireOwnBackbone(record.backboneBaseUrl, backbone);
	if (record.state !== 'ready') requireNamedAs(backbone, record.address);
}

/**
 * True if a person has corrected the URL of an identity that was not used yet to the host name in
 * its address, which the Backbone has told.
 */
export function isNamedUrl(
	{ state, address }: Pick<IdentityRecord, 'state' | 'address'>,
	baseUrl: string,
): boolean {
	return state !== 'ready' && partsOfAddress(address)?.hostname === new URL(baseUrl).hostname;
}

/** Where a Backbone is reached, and how it is called in addresses, if that differs. */
export interface NamedBackbone {
	readonly baseUrl: string;
	readonly addressHostname?: string | undefined;
}

/**
 * Checks whether addresses can contain the host name of a Backbone. A Backbone tells its name only
 * with the address of a created identity.
 *
 * @throws `error.gateway.identity.addressMismatch`
 */
export function requireAddressHostname(backbone: NamedBackbone): void {
	const { baseUrl, addressHostname: override } = backbone;
	const hostname = addressHostname(baseUrl, override);
	if (isAddressHostname(hostname)) return;
	const { protocol, port, hostname: reached } = new URL(baseUrl);
	const local = `${protocol}//localhost${port === '' ? '' : `:${port}`}`;
	const isHere = /^(127\.|\[::1\])/.test(reached);
	throw identityErrors.create('addressMismatch', {
		message: `'${hostname}' cannot be the host name in the addresses of a Backbone.`,
		facts: { field: override === undefined ? 'backbone.baseUrl' : 'backbone.addressHostname' },
		...(isHere && override === undefined
			? { remedy: `A Backbone on this machine usually calls itself localhost: enter ${local}.` }
			: {}),
	});
}

function requireNamedAs(backbone: NamedBackbone, address: string): void {
	const expected = addressHostname(backbone.baseUrl, backbone.addressHostname);
	const found = partsOfAddress(address)?.hostname;
	if (found === expected) return;
	throw identityErrors.create('addressMismatch', {
		message: `The Backbone at ${backbone.baseUrl} made the address ${address}, whose host name is not ${expected}.`,
		facts: { expected, found: found ?? '' },
		...(found === undefined
			? {}
			: {
					remedy: `Enter ${found} in 'Address Hostname' (transportLibrary.addressGenerationHostnameOverride), or the URL of the Backbone with this host name. The identity that was created is used then.`,
				}),
	});
}
